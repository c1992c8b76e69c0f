"""Signing in through a firm's SAML provider: who gets in, who never does, and how it ends."""

import base64
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlsplit

import httpx
import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.x509 import load_pem_x509_certificate
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from lxml import etree

from accounts import addresses
from accounts.groups import make_group
from accounts.identity import fetching
from accounts.identity.groups import map_group
from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Unusable
from accounts.identity.saml.handover import SECONDS
from accounts.identity.saml.keys import make_key as give_key
from accounts.models import User
from providers.connections.secrets import encrypted
from tests.accounts import saml_server
from tests.accounts.saml_forgeries import FORGED, five_megabytes, good, of
from tests.accounts.saml_server import AN_ADDRESS, KEY, NS, OTHER_KEY, Asked, SamlServer, serialised
from tests.accounts.through_provider import go_to, led_to, path_of, person_in
from tests.accounts.through_saml import SITE, answer_of, come_back, post_from_there, registered, sign_in
from tests.connectors.dripping_server import DrippingServer
from tests.people import PASSWORD, browser_of
from tests.responses import text_of


@pytest.fixture
def server() -> Iterator[SamlServer]:
    with SamlServer() as running:
        yield running


@pytest.fixture
def arden(server: SamlServer, db: None) -> IdentityProvider:
    return registered(server, makes_accounts=True)


# --- who gets in -----------------------------------------------------------------------------------------
def test_the_first_sign_in_makes_an_account_and_the_next_one_finds_it(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    assert "Sign in with Arden" in text_of(client.get(reverse("account_login")))
    answer = sign_in(client, arden, next="/settings/")
    assert answer["Location"] == "/settings/"
    assert "device" in answer.cookies, "this device's attempts count by themselves from now on"
    dora = User.objects.get()
    assert (dora.email, dora.name, dora.is_superuser) == ("dora@arden.example", "Dora Nowak", False)
    assert not dora.has_usable_password()
    assert addresses.is_confirmed(dora)
    server.attributes["mail"] = ["married@arden.example"]  # she is known by her name there
    again = Client()
    sign_in(again, arden)
    assert person_in(again) == dora.pk
    assert User.objects.count() == 1


def test_it_is_asked_for_by_a_form_of_ours_and_says_where_to_answer(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    sign_in(client, arden)
    (asked,) = server.received
    assert asked.tag == f"{{{saml_server.SAMLP}}}AuthnRequest"
    back = f"{SITE}{reverse('saml_returned', args=[arden.pk])}"
    assert asked.get("AssertionConsumerServiceURL") == back
    assert asked.get("Destination") == f"{server.site}/sso"
    assert of(asked, "saml:Issuer").text == arden.client_id
    assert len(asked.get("ID")) > 32
    for name in ("saml_returned", "saml_ended_there"):
        assert client.get(reverse(name, args=[arden.pk]))["Location"] == reverse("account_login")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        (
            {
                "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress": ["d@arden.example"],
                "http://schemas.microsoft.com/identity/claims/displayname": ["Dora"],
            },
            ("d@arden.example", "Dora"),
        ),
        (
            {"email": ["D@Arden.Example"], "firstName": ["Dora"], "lastName": ["N"]},
            ("d@arden.example", "Dora N"),
        ),
        (
            {"urn:oid:0.9.2342.19200300.100.1.3": ["d@arden.example"], "cn": ["Dora"]},
            ("d@arden.example", "Dora"),
        ),
    ],
)
def test_the_usual_names_of_attributes_are_known(
    attributes: Any, expected: Any, client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    server.attributes = attributes
    sign_in(client, arden)
    assert User.objects.values_list("email", "name").get() == expected


def test_an_administrator_says_which_attributes_count(client: Client, server: SamlServer, db: None) -> None:
    arden = registered(
        server,
        makes_accounts=True,
        subject_attribute="number",
        address_attribute="work",
        name_attribute="called",
    )
    server.attributes |= {"number": ["4711"], "work": ["n@arden.example"], "called": ["Nora"]}
    sign_in(client, arden)
    assert SocialAccount.objects.get().uid == "4711"
    assert User.objects.values_list("email", "name").get() == ("n@arden.example", "Nora")
    for wrong in ([], ["1", "2"]):
        server.attributes["number"] = wrong
        assert sign_in(Client(), arden).status_code == 403


def test_a_name_that_is_an_address_is_the_address(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    server.name_id, server.format, server.attributes = "dora@arden.example", AN_ADDRESS, {}
    sign_in(client, arden)
    assert User.objects.get().email == "dora@arden.example"


def test_an_address_of_another_domain_opens_nothing(
    client: Client, server: SamlServer, arden: IdentityProvider, alice: User
) -> None:
    """Neither alice's account, nor a new one; and nobody learns from the answer whether there is one."""
    IdentityProvider.objects.update(connects_by_address=True)
    for domains in ("arden.example", ""):
        IdentityProvider.objects.update(domains=domains)
        server.attributes = {"mail": [alice.email]}
        known = sign_in(client, arden)
        server.attributes = {"mail": ["nobody@example.org"]}
        unknown = sign_in(client, arden)
        assert (known.status_code, text_of(known)) == (403, text_of(unknown))
        assert "does not confirm" in text_of(known)
    server.attributes = {"mail": ["alice@example.org@arden.example"]}
    sign_in(client, arden)
    assert not SocialAccount.objects.filter(user=alice).exists()


def test_an_account_of_the_same_confirmed_address_is_connected_only_where_allowed(
    client: Client, server: SamlServer, alice: User, bob: User
) -> None:
    arden = registered(server, makes_accounts=True, domains="example.org")
    server.attributes = {"mail": [alice.email]}
    page = sign_in(client, arden)
    assert "There is an account with the address alice@example.org already" in text_of(page)
    IdentityProvider.objects.update(connects_by_address=True)
    sign_in(client, arden)
    assert person_in(client) == alice.pk
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    server.name_id, server.attributes = "b0b", {"mail": [bob.email]}
    assert sign_in(Client(), arden).status_code == 403, "never an administrator's"


def test_who_is_signed_in_connects_an_account_there_and_lets_go_of_it(
    client: Client, server: SamlServer, alice: User
) -> None:
    arden = registered(server)
    server.attributes = {}  # it need not know an address
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    answer = come_back(client, go_to(client, arden, "provider_connect"))
    assert answer["Location"] == reverse("account_settings")
    assert "Connected" in text_of(client.get(reverse("account_settings")))
    other = Client()
    sign_in(other, arden)
    assert person_in(other) == alice.pk
    client.post(reverse("provider_disconnect", args=[arden.pk]))
    assert person_in(other) is None, "what it began ends"
    assert person_in(client) == alice.pk


def test_groups_make_administrators_and_fill_groups(client: Client, server: SamlServer, alice: User) -> None:
    arden = registered(server, makes_accounts=True, administrators="svq-admins", group_claim="memberOf")
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    legal = make_group("Legal", by=alice)
    map_group(legal, arden, "legal", by=alice)
    server.attributes["memberOf"] = ["legal", "svq-admins"]
    sign_in(client, arden)
    dora = User.objects.get(email="dora@arden.example")
    assert dora.is_superuser
    assert legal.members.get().person == dora
    server.attributes["memberOf"] = ["others"]
    sign_in(client, arden)
    dora.refresh_from_db()
    assert (dora.is_superuser, legal.members.count()) == (False, 0)


def test_both_certificates_count_while_a_provider_changes_over(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    server.keys = [OTHER_KEY]
    assert sign_in(client, arden).status_code == 403
    server.keys = [KEY, OTHER_KEY]
    IdentityProvider.objects.update(metadata=server.metadata())
    for signing in ([OTHER_KEY, KEY], [KEY, OTHER_KEY]):
        server.keys = signing
        assert sign_in(Client(), arden).status_code == 302


def test_metadata_at_an_address_is_read_anew_at_each_sign_in(
    client: Client, server: SamlServer, db: None, settings: Any
) -> None:
    settings.FETCH_PRIVATE_ADDRESSES = True
    arden = registered(server, makes_accounts=True, metadata_address=f"{server.site}/metadata")
    assert sign_in(client, arden).status_code == 302
    server.keys = [OTHER_KEY]
    assert sign_in(Client(), arden).status_code == 302
    assert IdentityProvider.objects.get().metadata == server.metadata()
    own, server.entity_id = server.entity_id, "https://other.example"
    page = client.post(reverse("provider_sign_in", args=[arden.pk]))
    assert page.status_code == 424
    server.entity_id = own
    settings.FETCH_PRIVATE_ADDRESSES = False
    assert client.post(reverse("provider_sign_in", args=[arden.pk])).status_code == 424


# --- who never gets in -----------------------------------------------------------------------------------
@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_answer_signs_nobody_in(
    forgery: str, client: Client, arden: IdentityProvider, server: SamlServer, caplog: Any
) -> None:
    server.forge = lambda asked: FORGED[forgery](server, asked)
    began = time.thread_time()  # what others do on this machine meanwhile does not count
    page = sign_in(client, arden)
    assert page.status_code == 403
    assert "Arden did not confirm who you are" in text_of(page)
    assert person_in(client) is None
    assert not User.objects.exists()
    assert "A sign-in through saml-" in caplog.text, "the operator can find out why"
    assert all("\n" not in one.getMessage() for one in caplog.records if one.name.startswith("accounts"))
    assert time.thread_time() - began < 5


def test_five_megabytes_are_not_read(client: Client, arden: IdentityProvider, server: SamlServer) -> None:
    server.forge = lambda asked: five_megabytes(server, asked)
    assert sign_in(client, arden).status_code in (400, 413)
    assert person_in(client) is None


@pytest.mark.parametrize("hidden", ["<!-- -->", "<!---->", "<?x y?>"])
def test_a_comment_does_not_cut_a_name(
    hidden: str, client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    """A signature says nothing of comments: who has the name dora@arden.example.evil could be dora."""
    sign_in(client, arden)
    dora = person_in(client)
    server.name_id = "d0ra.evil"
    server.attributes = {"mail": ["dora@arden.example.evil"]}

    def forged(asked: Asked) -> bytes:
        content = serialised(good(server, asked)).decode()
        content = content.replace("d0ra.evil", f"d0ra{hidden}.evil")
        return content.replace("dora@arden.example.evil", f"dora@arden.example{hidden}.evil").encode()

    server.forge = forged
    other = Client()
    assert sign_in(other, arden).status_code == 403
    assert person_in(other) != dora
    assert User.objects.count() == 1


def test_an_answer_counts_once_and_in_the_browser_that_has_asked(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    sent = answer_of(go_to(client, arden))
    stranger = Client()
    assert stranger.get(post_from_there(stranger, *sent)["Location"]).status_code == 403, "lured there"
    assert person_in(stranger) is None
    assert post_from_there(client, *sent).status_code == 403, "it is used"
    sent = answer_of(go_to(client, arden))
    over = post_from_there(client, *sent)["Location"]
    assert client.get(over).status_code == 302
    assert client.get(over).status_code == 403
    assert post_from_there(client, *sent).status_code == 403
    assert not Session.objects.filter(session_data__contains="claims").exists()


def test_a_request_of_ten_minutes_ago_is_not_answered(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    sent = answer_of(go_to(client, arden))
    session = client.session
    states = session["socialaccount_states"]
    session["socialaccount_states"] = {key: (one[0], one[1] - 601, one[2]) for key, one in states.items()}
    session.save()
    assert client.get(post_from_there(client, *sent)["Location"]).status_code == 403


def test_people_begin_there_only_where_an_administrator_allows_it(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    back = f"{SITE}{reverse('saml_returned', args=[arden.pk])}"

    def sent() -> tuple[str, dict[str, str]]:
        content = server.answer(Asked("", back, arden.client_id))
        return back, {
            "SAMLResponse": base64.b64encode(content).decode(),
            "RelayState": "https://evil.example/",
        }

    assert post_from_there(client, *sent()).status_code == 403
    IdentityProvider.objects.update(takes_unasked=True)
    once = sent()
    over = post_from_there(client, *once)["Location"]
    assert client.get(over)["Location"] == reverse("home"), "RelayState leads nowhere"
    assert person_in(client)
    key = client.cookies["saml"].value
    client.logout()
    client.cookies["saml"] = key
    assert client.get(over).status_code == 403, "what was handed over is taken once"
    assert post_from_there(Client(), *once).status_code == 403, "it counts once, also where nobody has asked"


def test_what_is_handed_over_has_an_end_of_its_own(
    client: Client, arden: IdentityProvider, server: SamlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Brought into a session as its cookie, it would last as long as that."""
    IdentityProvider.objects.update(takes_unasked=True)
    back = f"{SITE}{reverse('saml_returned', args=[arden.pk])}"
    content = base64.b64encode(server.answer(Asked("", back, arden.client_id))).decode()
    over = post_from_there(client, back, {"SAMLResponse": content})["Location"]
    now = time.time()
    monkeypatch.setattr("accounts.identity.saml.handover.time.time", lambda: now + SECONDS + 1)
    assert client.get(over).status_code == 403
    assert not person_in(client)


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_it_never_leads_to_another_site(
    to: str, client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    server.relay_state = to
    assert sign_in(client, arden, next=to)["Location"] == reverse("home")


def test_answers_of_one_provider_are_not_taken_for_those_of_another(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    with SamlServer() as rogue:
        evil = registered(rogue, "Evil", makes_accounts=True)
        sign_in(client, arden)
        other = Client()
        assert "There is an account" in text_of(sign_in(other, evil)), "a name counts at its provider alone"
        action, fields = answer_of(go_to(other, evil))
        mixed = action.replace(f"/{evil.pk}/", f"/{arden.pk}/")
        assert post_from_there(other, mixed, fields).status_code == 403
        evil_answer = post_from_there(other, action, fields)["Location"]
        assert other.get(evil_answer.replace(f"/{evil.pk}/", f"/{arden.pk}/")).status_code == 403
        assert person_in(other) is None
        IdentityProvider.objects.update(takes_unasked=True)
        back = f"{SITE}{reverse('saml_returned', args=[evil.pk])}"
        unasked = base64.b64encode(rogue.answer(Asked("", back, evil.client_id))).decode()
        over = post_from_there(other, back, {"SAMLResponse": unasked})["Location"]
        assert other.get(over.replace(f"/{evil.pk}/", f"/{arden.pk}/")).status_code == 403
        assert person_in(other) is None


def test_the_addresses_of_one_kind_know_none_of_the_other(client: Client, arden: IdentityProvider) -> None:
    for name in ("openid_returned", "openid_ended_there"):
        assert client.post(reverse(name, args=[arden.pk])).status_code in (404, 405), name
    IdentityProvider.objects.update(language="openid")
    for name in ("saml_returned", "saml_entered", "saml_ended_there", "saml_metadata"):
        ask = client.post if name == "saml_returned" else client.get
        assert ask(reverse(name, args=[arden.pk])).status_code == 404, name


def test_failures_from_one_network_have_to_wait(client: Client, arden: IdentityProvider) -> None:
    back = reverse("saml_returned", args=[arden.pk])
    answers = [client.post(back, {"SAMLResponse": "x"}) for _ in range(61)]
    assert [answers[0].status_code, answers[-1].status_code] == [403, 429]


# --- how it ends -----------------------------------------------------------------------------------------
def ended(arden: IdentityProvider) -> str:
    return f"{SITE}{reverse('saml_ended_there', args=[arden.pk])}"


def test_signing_out_here_signs_out_there(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    sign_in(client, arden)
    address = led_to(client.post(reverse("account_logout")))
    assert address.startswith(f"{server.site}/slo?")
    back = httpx.get(address).headers["location"]
    message = server.received[-1]
    assert message.tag == f"{{{saml_server.SAMLP}}}LogoutRequest"
    assert of(message, "saml:NameID").text == server.name_id
    assert of(message, "saml:NameID").get("Format") == server.format
    assert of(message, "samlp:SessionIndex").text == "s1"
    assert person_in(client) is None
    assert client.get(path_of(back))["Location"] == reverse("account_login")


def test_signing_out_there_ends_the_session_here(
    client: Client, arden: IdentityProvider, server: SamlServer, alice: User
) -> None:
    sign_in(client, arden)
    other_device = Client()
    server.forge = lambda asked: server.answer(asked, session="s2")
    sign_in(other_device, arden)
    by_password = browser_of(User.objects.get(email="dora@arden.example"))
    answer = client.get(path_of(server.sign_out_request(ended(arden), relay_state="a b", session="s1")))
    assert answer["Location"].startswith(f"{server.site}/slo?")
    assert parse_qs(urlsplit(answer["Location"]).query)["RelayState"] == ["a b"]
    httpx.get(answer["Location"])
    assert server.received[-1].get("InResponseTo")
    assert person_in(client) is None
    assert person_in(other_device), "it was another session there"
    assert client.get(reverse("account_login")).status_code == 200
    Client().get(path_of(server.sign_out_request(ended(arden))))
    assert person_in(other_device) is None, "none is named: all of the person's"
    assert person_in(by_password), "it was not begun there"


def put_in_front(address: str) -> str:
    """Another request, which nobody has signed, in the place of the signed one."""
    path, _, query = address.partition("?")
    unsigned = saml_server.packed(f"<LogoutRequest xmlns={saml_server.SAMLP!r}/>")
    return f"{path}?{query}&%53AMLRequest={quote_plus(unsigned)}"


LOGOUTS = {
    "another key": lambda server, to: server.sign_out_request(to, OTHER_KEY),
    "unsigned": lambda server, to: server.sign_out_request(to).partition("&SigAlg")[0],
    "altered": lambda server, to: server.sign_out_request(to).replace("SAMLRequest=", "SAMLRequest=A", 1),
    "of yesterday": lambda server, to: server.sign_out_request(
        to, made=datetime.now(UTC) - timedelta(days=1)
    ),
    "another destination": lambda server, to: server.sign_out_request(
        to, destination="https://other.example"
    ),
    "another issuer": lambda server, to: server.sign_out_request(to, issuer="https://other.example"),
    "a signature in other letters": lambda server, to: re.sub(
        "Signature=[^&]*", "Signature=%C3%A9", server.sign_out_request(to)
    ),
    "a bomb": lambda server, to: server.sign_out_request(to, spaces=9_000_000),
}


@pytest.mark.parametrize("forgery", LOGOUTS)
def test_a_forged_logout_ends_nothing(
    forgery: str, client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    sign_in(client, arden)
    answer = Client().get(path_of(LOGOUTS[forgery](server, ended(arden))))
    assert answer.status_code == 400
    assert person_in(client)


def test_a_logout_counts_once_and_as_it_was_signed(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    sign_in(client, arden)
    somebody = path_of(put_in_front(server.sign_out_request(ended(arden), name_id="somebody")))
    assert Client().get(somebody).status_code == 302, "the signed one is what counts"
    assert person_in(client)
    logout = path_of(server.sign_out_request(ended(arden)))
    assert Client().get(logout).status_code == 302
    sign_in(client, arden)
    assert Client().get(logout).status_code == 400
    assert person_in(client)


def test_what_is_sent_is_signed_where_the_provider_wants_that(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    server.wants_signed = True
    IdentityProvider.objects.update(metadata=server.metadata())
    assert client.post(reverse("provider_sign_in", args=[arden.pk])).status_code == 424
    arden.refresh_from_db()
    give_key(arden)
    arden.save()
    assert sign_in(client, arden).status_code == 302
    out = led_to(client.post(reverse("account_logout")))
    key: Any = load_pem_x509_certificate(arden.own_certificate.encode()).public_key()
    signed, _, signature = urlsplit(out).query.partition("&Signature=")
    content = base64.b64decode(parse_qs(f"s={signature}")["s"][0])
    key.verify(content, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    assert "PRIVATE" not in arden.encrypted_secret
    IdentityProvider.objects.update(encrypted_secret=encrypted("no key"))
    assert client.post(reverse("provider_sign_in", args=[arden.pk])).status_code == 424


def test_our_metadata_says_what_a_provider_has_to_know(client: Client, arden: IdentityProvider) -> None:
    def said() -> Any:
        return etree.fromstring(client.get(reverse("saml_metadata", args=[arden.pk])).content)

    root = said()
    names = {"md": "urn:oasis:names:tc:SAML:2.0:metadata"} | NS
    assert root.get("entityID") == arden.client_id
    (service,) = root.xpath("//md:AssertionConsumerService", namespaces=names)
    assert service.get("Location") == f"{SITE}{reverse('saml_returned', args=[arden.pk])}"
    (out,) = root.xpath("//md:SingleLogoutService", namespaces=names)
    assert out.get("Location") == ended(arden)
    assert root.xpath("string(//@WantAssertionsSigned)") == "true"
    assert not root.xpath("//ds:X509Certificate", namespaces=names)
    give_key(arden)
    arden.save()
    assert "".join(arden.own_certificate.splitlines()[1:-1]) in said().xpath("string()")


def test_a_logout_of_one_session_ends_those_that_the_provider_gave_no_name(
    client: Client, arden: IdentityProvider, server: SamlServer
) -> None:
    server.forge = lambda asked: server.answer(asked, session=None)
    sign_in(client, arden)
    assert person_in(client)
    assert Client().get(path_of(server.sign_out_request(ended(arden), session="s9"))).status_code == 302
    assert not person_in(client)


def test_a_provider_whose_metadata_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.3)
    with DrippingServer("file", "") as address, pytest.raises(Unusable, match="took more than"):
        fetching.fetch(address, "metadata")
