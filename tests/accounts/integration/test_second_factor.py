"""A second factor: codes of an app and recovery codes, required or not, and that no door goes around it."""

import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import second_factor as rules
from accounts.api_tokens import make_token
from accounts.models import ApiToken, AuditAct, AuditEntry, TokenScope, User
from accounts.programs.models import Grant
from providers.connections.secrets import encrypted
from tests.accounts.openid_server import OpenIdServer
from tests.accounts.through_provider import person_in, registered
from tests.accounts.through_provider import sign_in as through
from tests.audit import noted
from tests.exchange.oauth_program import OAuthProgram
from tests.people import PASSWORD, browser_of
from tests.responses import text_of
from tests.rest import Api, program

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def app_of(user: User) -> Authenticator:
    data = {"secret": encrypted(SECRET)}
    return Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)


def code(periods: int = 0, secret: str = SECRET) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + periods)))


def sign_in(client: Client, user: User, **more: str) -> Any:
    return client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD} | more)


def set_up_app(client: Client) -> Any:
    """The page behind it, with the recovery codes."""
    client.get(reverse("mfa_activate_totp"))
    given = {"code": code(secret=client.session["mfa.totp.secret"])}
    return client.post(reverse("mfa_activate_totp"), given, follow=True)


def show(client: Client, given: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": given})


def administrator(user: User) -> Client:
    """A browser that has shown a second factor."""
    User.objects.filter(pk=user.pk).update(is_superuser=True, is_staff=True)
    client = browser_of(user)
    session = client.session
    session[rules.KEY] = True
    session.save()
    return client


# --- asked for at sign-in --------------------------------------------------------------------------------
def test_the_code_is_asked_for_after_the_password(client: Client, alice: User) -> None:
    app_of(alice)
    answer = sign_in(client, alice, next="/settings/")
    assert answer["Location"] == reverse("mfa_authenticate")
    assert "device" not in answer.cookies, "not yet known"
    assert "The code that your app shows" in text_of(client.get(answer["Location"]))
    wrong = show(client, "000000")
    assert "This code is not right" in text_of(wrong)
    assert person_in(client) is None
    answer = show(client, code())
    assert answer["Location"] == "/settings/"
    assert "device" in answer.cookies
    assert person_in(client) == alice.pk


def test_a_code_counts_once_whichever_process_is_asked(alice: User) -> None:
    app_of(alice)
    given = code()
    for written, expected in ((given, alice.pk), (given, None), (f"{given[:3]}-{given[3:]}", None)):
        cache.clear()  # what allauth remembers of codes is of one process
        browser = Client()
        sign_in(browser, alice)
        show(browser, written)
        assert person_in(browser) == expected
    refused = AuditEntry.objects.filter(
        act=AuditAct.REFUSED, address__startswith="a code that was used before"
    )
    assert refused.count() == 2


def test_codes_cannot_be_guessed_from_many_networks(alice: User) -> None:
    """Who guesses knows the password. The right person's own device still gets in."""
    app_of(alice)
    known = Client()
    sign_in(known, alice)
    show(known, code(-1))
    known.post(reverse("account_logout"))
    for number in range(10):
        guesser = Client(REMOTE_ADDR=f"10.0.{number}.1")
        sign_in(guesser, alice)
        show(guesser, "000000")
    late = Client(REMOTE_ADDR="10.1.1.1")
    sign_in(late, alice)
    assert "Too many wrong codes. Wait 15 minutes" in text_of(show(late, code()))
    assert person_in(late) is None
    sign_in(known, alice)
    show(known, code())
    assert person_in(known) == alice.pk


def test_what_is_kept_of_an_app_is_encrypted_and_rotated(client: Client, alice: User, settings: Any) -> None:
    app_of(alice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of this site, which is long enough"
    call_command("rotate_keys")
    settings.SECRET_KEY_FALLBACKS = []
    assert SECRET not in str(Authenticator.objects.get().data)
    sign_in(client, alice)
    show(client, code())
    assert person_in(client) == alice.pk
    settings.SECRET_KEY = "a third one, which nobody has told, long enough too"
    lost = Client()
    sign_in(lost, alice)
    page = show(lost, format_hotp_value(hotp_value("", int(time.time()) // 30)))
    assert "encrypted with another secret" in text_of(page)
    assert person_in(lost) is None


def test_what_was_made_with_the_password_alone_is_shown_with_the_first_factor_and_can_be_ended(
    client: Client, alice: User
) -> None:
    rest, token = program(alice)
    over, _ = make_token(alice, name="Lapsed", scopes=[TokenScope.READ], datasource_ids=None, days=1)
    ApiToken.objects.filter(pk=over.pk).update(expires=timezone.now())
    OAuthProgram("Jotter").tokens(alice)
    sign_in(client, alice)
    shown = set_up_app(client)
    assert "still work without a second factor" in text_of(shown)
    assert token.name in text_of(shown)
    assert "Jotter" in text_of(shown)
    assert "Lapsed" not in text_of(shown)
    assert rest.get("data-sources").status_code == 200
    end = reverse("revoke_api_tokens")
    assert end in shown.content.decode()
    assert token.name in text_of(client.get(end))
    assert rest.get("data-sources").status_code == 200, "it was only asked"
    assert "No token yet" in text_of(client.post(end, follow=True))
    assert rest.get("data-sources").status_code == 401
    assert {entry.number for entry in noted().filter(act="deleted")} == {str(token.pk), str(over.pk)}
    assert noted().filter(act="program", address__startswith="ended Jotter").exists()
    assert not Grant.objects.exists()


def test_new_codes_say_nothing_of_tokens_that_were_made_since(client: Client, alice: User) -> None:
    sign_in(client, alice)
    set_up_app(client)
    program(alice)
    shown = client.post(reverse("mfa_generate_recovery_codes"), follow=True)
    assert len(shown.context["unused_codes"]) == 10
    assert "without a second factor" not in text_of(shown)


def test_all_are_revoked_where_one_is_a_program_s(client: Client, alice: User) -> None:
    end, here = reverse("revoke_api_tokens"), reverse("api_tokens")
    sign_in(client, alice)
    program(alice)
    assert end not in client.get(here).content.decode()
    OAuthProgram("Jotter").tokens(alice)
    assert end in client.get(here).content.decode()


def test_setting_up_an_app_shows_codes_once_and_ends_other_sign_ins(client: Client, alice: User) -> None:
    elsewhere, program = browser_of(alice), Api(alice)
    sign_in(client, alice)
    page = client.get(reverse("mfa_activate_totp"))
    assert "data:image/svg+xml;base64," in page.content.decode()
    secret = client.session["mfa.totp.secret"]
    assert 'href="otpauth://totp/' in page.content.decode(), "a phone can't scan itself"
    assert f'data-copy="{secret}"' in page.content.decode()
    answer = client.post(reverse("mfa_activate_totp"), {"code": code(secret=secret)})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    shown = client.get(answer["Location"])
    codes = list(shown.context["unused_codes"])
    assert len(codes) == 10
    assert codes[0] in text_of(shown)
    assert codes[0] not in text_of(client.get(answer["Location"]))
    assert person_in(client) == alice.pk
    assert person_in(elsewhere) is None
    assert program.get("data-sources").status_code == 401
    later = Client()
    sign_in(later, alice)
    show(later, codes[0])
    assert person_in(later) == alice.pk
    again = Client()
    sign_in(again, alice)
    assert "not right" in text_of(show(again, codes[0])), "a recovery code works once"
    assert "9 left" in text_of(later.get(reverse("mfa_index")))


def test_an_old_sign_in_confirms_itself_before_it_changes_anything(client: Client, alice: User) -> None:
    app_of(alice)
    old = browser_of(alice)  # no record of how it was begun
    for name in ("mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_add_webauthn"):
        assert old.post(reverse(name))["Location"].startswith(reverse("account_reauthenticate")), name
    assert Authenticator.objects.count() == 1


# --- required of everybody -------------------------------------------------------------------------------
def require(client: Client) -> Any:
    form = {"field": "second_factor", "second_factor": "on"}
    return client.post(reverse("save_sign_in_setting"), form)


def test_required_ends_what_was_begun_without_one(alice: User, bob: User) -> None:
    """A session kept from before, and the tokens of a program; API tokens are the person's own."""
    before, program = browser_of(bob), Api(bob)
    token = make_token(bob, name="Bot", scopes=[TokenScope.READ], datasource_ids=None, days=1)[1]
    chief = administrator(alice)
    assert require(chief).status_code == 302
    assert person_in(chief) == alice.pk
    assert noted().get().act == AuditAct.RULE
    assert before.get(reverse("home"))["Location"].startswith(reverse("account_login"))
    assert program.get("data-sources").status_code == 401
    bot = Api()
    bot.headers = {"Authorization": f"Bearer {token}"}
    assert bot.get("data-sources").status_code == 200


def test_an_administrator_without_one_cannot_require_it(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    page = require(browser_of(alice))
    assert page.status_code == 422
    assert "Set up a second factor for yourself first" in text_of(page)
    assert not rules.is_required()


def test_whoever_has_none_sets_one_up_before_anything_else(client: Client, bob: User) -> None:
    rules.require(True)
    answer = sign_in(client, bob)
    assert answer["Location"] == reverse("set_up_second_factor")
    for path in ("/", "/settings/", "/account/2fa/", "/admin/", "/api/v1/data-sources", "/api-tokens/"):
        refused = client.get(path)
        assert refused.status_code in (302, 401, 404), path
    assert person_in(client) is None
    page = client.get(answer["Location"])
    assert "One more step" in text_of(page)
    assert "not right" in text_of(client.post(answer["Location"], {"code": "000000"}))
    secret = client.session["mfa.totp.secret"]
    done = client.post(answer["Location"], {"code": code(secret=secret)})
    assert done["Location"] == reverse("mfa_view_recovery_codes")
    assert "Keep them" in text_of(client.get(done["Location"]))
    assert person_in(client) == bob.pk
    rules.require(True)
    assert client.get(reverse("home")).status_code == 200, "it was shown here"


def test_a_set_up_that_was_begun_does_not_replace_one_that_is_there_by_now(client: Client, bob: User) -> None:
    rules.require(True)
    sign_in(client, bob)
    client.get(reverse("set_up_second_factor"))
    secret = client.session["mfa.totp.secret"]
    app_of(bob)
    answer = client.post(reverse("set_up_second_factor"), {"code": code(secret=secret)})
    assert answer["Location"] == reverse("account_login")
    assert person_in(client) is None
    assert Authenticator.objects.count() == 1


@pytest.mark.parametrize("has_app", [False, True])
@pytest.mark.parametrize("change", ["password", "switched off"])
def test_a_sign_in_that_was_begun_ends_with_the_password_and_the_account(
    has_app: bool, change: str, client: Client, bob: User
) -> None:
    rules.require(True)
    if has_app:
        app_of(bob)
    step = sign_in(client, bob)["Location"]
    client.get(step)
    secret = SECRET if has_app else client.session["mfa.totp.secret"]
    if change == "password":
        bob.set_password("another one entirely")
    else:
        bob.is_active = False
    bob.save()
    answer = client.post(step, {"code": code(secret=secret)})
    assert answer["Location"] == reverse("account_login")
    assert person_in(client) is None
    assert Authenticator.objects.count() == has_app, "a factor of whoever knew the old password"


def test_changes_of_second_factors_are_in_the_audit_log(client: Client, bob: User) -> None:
    rules.require(True)
    step = sign_in(client, bob)["Location"]
    client.get(step)
    client.post(step, {"code": code(secret=client.session["mfa.totp.secret"])})
    answer = client.post(reverse("mfa_deactivate_totp"), follow=True)
    assert "asks everybody for a second factor: you set up another one" in text_of(answer)
    said = AuditEntry.objects.filter(act=AuditAct.SIGN_IN, email=bob.email).values_list("address", flat=True)
    assert list(said)[-1] == "added: an app for codes"
    assert "removed: an app for codes" in said


# --- no way around it ------------------------------------------------------------------------------------
@pytest.mark.parametrize("required", [False, True])
def test_rest_does_not_take_the_password_alone(required: bool, alice: User) -> None:
    if required:
        rules.require(True)
    else:
        app_of(alice)
    answer = Api().post("auth/login", {"email": alice.email, "password": PASSWORD})
    assert answer.status_code == 401
    assert answer.json()["code"] == "second_factor"
    assert "make an API token" in answer.json()["hint"]
    assert AuditEntry.objects.get(act=AuditAct.REFUSED).address.startswith("a second factor is needed")
    wrong = Api().post("auth/login", {"email": alice.email, "password": "wrong"})
    assert wrong.json()["code"] != "second_factor", "only who knows the password learns of it"


def test_tokens_from_before_are_not_renewed(alice: User) -> None:
    given = Api().post("auth/login", {"email": alice.email, "password": PASSWORD}).json()
    app_of(alice)
    assert Api().post("auth/refresh", {"refresh": given["refresh"]}).status_code == 401
    old = Api()
    old.headers = {"Authorization": f"Bearer {given['access']}"}
    assert old.get("data-sources").status_code == 401


def test_no_page_lets_in_who_has_shown_the_password_alone(client: Client, alice: User) -> None:
    app_of(alice)
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    sign_in(client, alice)
    for name in (
        "home",
        "admin:index",
        "mfa_index",
        "mfa_activate_totp",
        "mfa_view_recovery_codes",
        "api_tokens",
    ):
        assert client.get(reverse(name)).status_code == 302, name
    for name in ("mfa_generate_recovery_codes", "mfa_deactivate_totp", "account_change_password"):
        client.post(reverse(name))
    client.post(reverse("set_up_second_factor"), {"code": code()})
    client.post(reverse("mfa_reauthenticate"), {"code": code()})
    assert client.get("/api/v1/data-sources").status_code == 401
    assert person_in(client) is None
    assert Authenticator.objects.get().type == "totp"


def test_a_new_password_does_not_sign_in_without_it(client: Client, alice: User) -> None:
    """Neither by the link of a mail, nor in the session that asked for it."""
    from allauth.account.forms import default_token_generator
    from allauth.account.utils import user_pk_to_url_str

    app_of(alice)
    key = f"{user_pk_to_url_str(alice)}-{default_token_generator.make_token(alice)}"
    page = client.get(reverse("account_reset_password_from_key", args=key.split("-", 1)), follow=True)
    client.post(page.request["PATH_INFO"], {"password1": "a longer horse", "password2": "a longer horse"})
    alice.refresh_from_db()
    assert alice.check_password("a longer horse")
    assert person_in(client) is None


def test_a_provider_that_asks_itself_is_not_asked_again(client: Client, alice: User) -> None:
    rules.require(True)
    app_of(alice)
    with OpenIdServer() as server:
        arden = registered(server, connects_by_address=True)
        server.person["email"] = alice.email
        assert through(client, arden)["Location"] == reverse("mfa_authenticate")
        show(client, code())
        assert person_in(client) == alice.pk, "asked for after the provider like after a password"
        arden.asks_second_factor = True
        arden.save()
        other = Client()
        through(other, arden)
        assert person_in(other) == alice.pk
        rules.require(True)
        assert person_in(other) == alice.pk
        # What was begun at the provider says nothing of a sign-in with a password.
        mixed = Client()
        arden.asks_second_factor = False
        arden.save()
        through(mixed, arden)
        arden.asks_second_factor = True
        arden.save()
        sign_in(mixed, alice)
        assert person_in(mixed) is None


def test_a_passkey_is_renamed_and_removed_by_its_person_alone(client: Client, alice: User, bob: User) -> None:
    sign_in(client, alice)
    stranger = Client()
    sign_in(stranger, bob)
    data = {"name": "Passkey", "credential": {}}
    made = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data=data)
    rename, remove = (reverse(f"mfa_{verb}_webauthn", args=[made.pk]) for verb in ("edit", "remove"))
    assert [stranger.post(path, {"name": "Mine"}).status_code for path in (rename, remove)] == [404, 404]
    assert "Rename a passkey" in text_of(client.get(rename))
    client.post(rename, {"name": "Work laptop"})
    assert "Remove “Work laptop”?" in text_of(client.get(remove))
    assert "Work laptop" in text_of(client.get(reverse("mfa_index")))
    client.post(remove)
    assert not Authenticator.objects.exists()


NO_PASSKEYS = [
    *("[]", '"x"', "1", "null", "{}", '{"response": 5}'),
    '{"id": 1, "rawId": 2, "type": 3, "response": {"clientDataJSON": 4, "attestationObject": 5}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "e30", '
    '"attestationObject": "oGBgYGBg", "authenticatorData": "AA", "signature": "AA", "userHandle": "MQ"}}',
]


@pytest.mark.parametrize("sent", NO_PASSKEYS)
def test_nonsense_in_place_of_a_passkey_is_refused_with_words(sent: str, alice: User, bob: User) -> None:
    app_of(alice)
    anybody, half, settled, new = Client(), Client(), Client(), Client()
    anybody.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"})
    sign_in(half, alice)
    half.get(reverse("mfa_authenticate"))
    sign_in(settled, bob)
    settled.get(reverse("mfa_add_webauthn"))
    said = [
        anybody.post(reverse("mfa_login_webauthn"), {"credential": sent}, follow=True),
        half.post(reverse("mfa_authenticate"), {"credential": sent}),
        settled.post(reverse("mfa_add_webauthn"), {"credential": sent}),
    ]
    rules.require(True)
    sign_in(new, bob)
    new.get(reverse("set_up_second_factor"))
    said.append(new.post(reverse("set_up_second_factor"), {"credential": sent}))
    assert [page.status_code for page in said] == [200] * 4
    if sent not in ("[]", "null", "{}"):  # these are taken for an empty field
        assert all("This passkey was not taken" in text_of(said[n]) for n in (0, 2, 3))
    assert (person_in(anybody), person_in(half), person_in(new)) == (None, None, None)
    assert Authenticator.objects.count() == 1


# --- lost ------------------------------------------------------------------------------------------------
def test_an_administrator_takes_it_away_and_that_is_noted(client: Client, alice: User, bob: User) -> None:
    app_of(bob)
    stolen = browser_of(bob)
    chief = administrator(alice)
    chosen = {"action": "take_second_factor_away", "_selected_action": [bob.pk]}
    chief.post(reverse("admin:accounts_user_changelist"), chosen)
    assert not Authenticator.objects.exists()
    assert person_in(stolen) is None
    sign_in(client, bob)
    assert person_in(client) == bob.pk
    entry = AuditEntry.objects.get(act=AuditAct.UNLOCKED)
    assert (entry.person, entry.address) == (alice, f"for {bob.email}")


def test_it_is_taken_away_on_the_persons_page(client: Client, alice: User, bob: User) -> None:
    page = reverse("person", args=[bob.pk])
    chief = administrator(alice)
    assert "ask=second_factor" not in chief.get(page).content.decode(), "there is none to take"
    app_of(bob)
    assert "ask=second_factor" in chief.get(page).content.decode()
    assert "really them who asks" in text_of(chief.get(page, {"ask": "second_factor"}))
    assert "is taken away" in text_of(chief.post(page, {"action": "second_factor"}, follow=True))
    sign_in(client, bob)
    assert person_in(client) == bob.pk
    assert AuditEntry.objects.get(act=AuditAct.UNLOCKED).address == f"for {bob.email}"


def test_whoever_has_the_machine_takes_it_away(client: Client, alice: User) -> None:
    app_of(alice)
    call_command("take_second_factor_away", "ALICE@example.org")
    sign_in(client, alice)
    assert person_in(client) == alice.pk
    with pytest.raises(CommandError, match="no account with the address"):
        call_command("take_second_factor_away", "nobody@example.org")


def test_staff_cannot_take_a_superusers_away(alice: User, bob: User) -> None:
    from django.contrib.auth.models import Permission

    app_of(alice)
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    bob.is_staff = True
    bob.save()
    bob.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    chosen = {"action": "take_second_factor_away", "_selected_action": [alice.pk]}
    browser_of(bob).post(reverse("admin:accounts_user_changelist"), chosen)
    assert Authenticator.objects.count() == 1


def test_the_administration_shows_no_second_factors_and_connects_nobody(alice: User) -> None:
    """A row there would be a way in as somebody else."""
    chief = administrator(alice)
    for path in ("mfa/authenticator/", "socialaccount/socialaccount/", "socialaccount/socialapp/"):
        assert chief.get(f"/admin/{path}").status_code == 404, path
