"""What only a browser shows of signing in: passkeys, and the way to a provider under our own policy."""

import re
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Page, expect

from accounts import second_factor as rules
from accounts.identity.models import IdentityProvider
from accounts.models import User
from tests import axe
from tests.accounts.openid_server import OpenIdServer
from tests.accounts.saml_server import SamlServer, make_key
from tests.accounts.through_provider import registered
from tests.accounts.through_saml import registered as registered_by_saml
from tests.browser import DESKTOP, PHONE, Live
from tests.people import PASSWORD

pytest_plugins = ["tests.browser"]


def looked_at(page: Page, name: str) -> None:
    """Light and dark, wide and narrow: nothing is cut off, and readers of screens find their way."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, size)
        problems = axe.violations(page)
        assert not problems, (name, scheme, problems)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def with_authenticator(page: Page) -> Any:
    """A device that keeps passkeys and whose finger is always there."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session


def sign_in(page: Page, user: User) -> None:
    page.get_by_label("E-mail address").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_a_passkey_is_added_and_signs_in_with_and_without_the_password(
    page: Page, live: Live, alice: User
) -> None:
    # The server does not know the quick hashes of tests.
    User.objects.filter(pk=alice.pk).update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt"))
    site = live.base_url.replace("127.0.0.1", "localhost")  # a number has no passkeys
    with_authenticator(page)
    page.goto(f"{site}/account/login/")
    looked_at(page, "login")
    sign_in(page, alice)
    page.wait_for_url(f"{site}/")
    page.goto(f"{site}/account/2fa/")
    looked_at(page, "second-factor-none")
    page.get_by_role("link", name="Add a passkey").click()
    looked_at(page, "passkey-add")
    page.get_by_label("Name").fill("Work laptop")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url(re.compile("recovery-codes"))
    looked_at(page, "recovery-codes")
    page.goto(f"{site}/account/2fa/")
    expect(page.get_by_text("Work laptop")).to_be_visible()
    looked_at(page, "second-factor")

    page.context.clear_cookies()
    page.goto(f"{site}/account/login/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{site}/")

    page.context.clear_cookies()
    page.goto(f"{site}/account/login/")
    sign_in(page, alice)
    page.wait_for_url(re.compile("authenticate"))
    looked_at(page, "authenticate")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{site}/")

    User.objects.filter(pk=alice.pk).update(is_active=False)
    page.context.clear_cookies()
    page.goto(f"{site}/account/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="This account is switched off")).to_be_visible()

    User.objects.filter(pk=alice.pk).update(is_active=True)
    Authenticator.objects.all().delete()
    rules.require(True)
    page.context.clear_cookies()
    page.goto(f"{site}/account/login/")
    sign_in(page, alice)
    page.get_by_role("button", name="Use a passkey from now on").click()
    page.wait_for_url(re.compile("recovery-codes"))
    page.goto(f"{site}/account/2fa/")
    expect(page.get_by_text("10 left")).to_be_visible()

    page.context.clear_cookies()
    page.goto(f"{live.base_url}/account/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("Passkeys need this site's own name")


def test_a_provider_signs_in_and_out_and_a_second_factor_is_set_up_first(
    page: Page, live: Live, alice: User
) -> None:
    with OpenIdServer() as server:
        registered(server, "Arden Legal", makes_accounts=True)
        page.goto(f"{live.base_url}/account/login/")
        looked_at(page, "login-provider")
        page.get_by_role("button", name="Sign in with Arden Legal").click()
        page.wait_for_url(f"{live.base_url}/")
        page.goto(f"{live.base_url}/settings/")
        expect(page.get_by_text("Your account there signs you in here.")).to_be_visible()
        looked_at(page, "settings")
        page.goto(f"{live.base_url}/account/logout/")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{live.base_url}/account/login/**")

        rules.require(True)
        page.get_by_role("button", name="Sign in with Arden Legal").click()
        page.wait_for_url(re.compile("second-factor"))
        expect(page.get_by_alt_text("A picture with the key")).to_be_visible()
        looked_at(page, "set-up")
        server.person |= {"sub": "x", "email_verified": False}
        page.goto(f"{live.base_url}/account/login/")
        page.context.clear_cookies()
        page.goto(f"{live.base_url}/account/login/")
        page.get_by_role("button", name="Sign in with Arden Legal").click()
        expect(page.get_by_role("heading", name="Not signed in")).to_be_visible()
        looked_at(page, "refused")


def test_an_administrator_sets_a_provider_up(page: Page, live: Live, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    live.login(page, alice)
    with OpenIdServer() as server:
        page.goto(f"{live.base_url}/settings/sign-in/")
        looked_at(page, "sign-in-settings-empty")
        page.get_by_role("switch").click()
        expect(page.get_by_text("Set up a second factor for yourself first")).to_be_visible()
        page.get_by_role("link", name="Add a provider").click()
        page.get_by_label("Name").fill("Arden Legal")
        page.get_by_label("Address").fill("http://127.0.0.1:9")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("nothing accepts connections there")).to_be_visible()
        looked_at(page, "provider-new")
        page.get_by_label("Address").fill(server.issuer)
        page.get_by_role("button", name="Go on").click()
        page.get_by_label("Client ID").fill("svq")
        page.get_by_role("button", name="Test").click()
        expect(page.get_by_text("The provider refuses this client")).to_be_visible()
        looked_at(page, "provider")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Not on the sign-in page yet", exact=True)).to_be_visible()
        looked_at(page, "sign-in-settings")
        page.get_by_role("link", name="Arden Legal").click()
        page.get_by_role("link", name="Remove").click()
        page.get_by_role("button", name="Remove it").click()
        expect(page.get_by_text("No provider yet")).to_be_visible()


def test_a_saml_provider_on_another_site_signs_in_and_out(page: Page, live: Live, alice: User) -> None:
    """Its form is another site's, to which the browser adds no cookie of ours."""
    with SamlServer("localhost") as server:
        registered_by_saml(server, "Arden Legal", live.base_url, makes_accounts=True)
        page.goto(f"{live.base_url}/account/login/")
        page.get_by_role("button", name="Sign in with Arden Legal").click()
        page.wait_for_url(f"{live.base_url}/")
        page.goto(f"{live.base_url}/settings/")
        expect(page.get_by_text("Your account there signs you in here.")).to_be_visible()
        page.goto(f"{live.base_url}/account/logout/")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{live.base_url}/account/login/**")
        assert [one.tag.rpartition("}")[2] for one in server.received] == ["AuthnRequest", "LogoutRequest"]

        page.get_by_role("button", name="Sign in with Arden Legal").click()
        page.wait_for_url(f"{live.base_url}/")
        row = IdentityProvider.objects.get()
        page.goto(server.sign_out_request(f"{live.base_url}/account/saml/{row.pk}/ended/"))
        expect(page.get_by_role("heading", name="Signed out everywhere")).to_be_visible()
        page.goto(f"{live.base_url}/settings/")
        page.wait_for_url(f"{live.base_url}/account/login/**")


def test_an_administrator_sets_a_saml_provider_up(page: Page, live: Live, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    live.login(page, alice)
    with SamlServer() as server:
        server.keys = [make_key(days=20)]
        page.goto(f"{live.base_url}/settings/sign-in/")
        page.get_by_role("link", name="Add a provider").click()
        page.get_by_role("link", name="SAML").click()
        page.get_by_label("Name").fill("Arden Legal")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("Give the address of the metadata")).to_be_visible()
        looked_at(page, "saml-provider-new")
        page.get_by_label("Metadata, pasted").fill(server.metadata())
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("Its certificate ends soon.")).to_be_visible()
        page.get_by_label("Make an account at the first sign-in").check()
        page.get_by_role("button", name="Test").click()
        expect(page.get_by_text("Your firm's domains: Name them")).to_be_visible()
        page.get_by_label("Your firm's domains", exact=True).fill("arden.example")
        page.get_by_role("button", name="Test").click()
        expect(page.get_by_text("The metadata is that of this provider")).to_be_visible()
        looked_at(page, "saml-provider")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Its certificate ends on")).to_be_visible()
        looked_at(page, "sign-in-settings-saml")


def test_a_switch_that_was_refused_goes_back_to_what_is_stored(page: Page, live: Live, alice: User) -> None:
    """Whoever has shown no second factor can't ask everybody for one."""
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    live.login(page, alice)
    page.goto(f"{live.base_url}/settings/sign-in/")
    switch = page.get_by_role("switch", name="Everybody needs a second factor")
    switch.click()
    expect(page.get_by_text("Not saved. Still: No")).to_be_visible()
    expect(switch).not_to_be_checked()
    assert not rules.is_required()
