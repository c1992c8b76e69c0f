"""The sections of one's own settings and of the server's, and what a search finds in them."""

from django.urls import reverse

from accounts.forms import SettingsForm
from accounts.models import User
from settings_pages.search import Place, Setting

PROFILE, APPEARANCE = ("name",), ("theme", "single_key_shortcuts", "show_answers_when_complete")
PAGE_OF_FIELD = dict.fromkeys(PROFILE, "account_settings") | dict.fromkeys(APPEARANCE, "account_appearance")


def _place(name: str, url: str) -> Place:
    return Place(name=name, address=reverse(url))


def settings_of_server(person: User) -> list[Setting]:
    """What administrators find there; others nothing."""
    if not person.is_superuser:
        return []
    pages = [
        ("Models", "models", "Connect a language model, embeddings, price"),
        ("Installed models", "installed_models", "Models that run on this server. Download, remove"),
        ("People", "people", "Accounts: invite, invitation, shut off, sign out, hand over. Users"),
        ("Groups", "groups", "Groups of people with whom datasources are shared. Members, team, department"),
        ("Sign-in", "sign_in_settings", "Sign-in providers, OpenID, SAML, SSO, who needs a second factor"),
        ("Directories", "directories", "SCIM: a firm's directory makes and shuts off accounts. Token"),
        ("Audit log", "audit_log", "Who did what and when. Entries, seals"),
        ("Background work", "background_work", "Jobs that run, wait or failed. Queue, workers"),
    ]
    owners = _place("Models", "models").setting(
        "Servers of owners", "owners", help="What owners may connect. Webhooks in private networks"
    )
    found = [_place("Server", url).setting(name, "main", help=help) for name, url, help in pages]
    return [*found, owners]


def settings_of_account() -> list[Setting]:
    """Everybody has the same."""
    place = _place
    profile, form = place("Profile", "account_settings"), SettingsForm()
    return [
        *profile.fields(form, PROFILE),
        profile.setting("E-mail address", "email", help="You sign in with it"),
        place("Password", "account_change_password").setting("Password", "main", help="Change it"),
        place("Second factor", "mfa_index").setting(
            "Second factor", "second-factor", help="Codes of an app, passkeys, recovery codes. 2FA, TOTP"
        ),
        *place("Appearance", "account_appearance").fields(form, APPEARANCE),
        place("API tokens", "api_tokens").setting(
            "API tokens", "tokens", help="For programs. Make one, revoke one. Connect an agent, MCP"
        ),
        place("Share links", "share_links").setting(
            "Share links", "links", help="For people without an account. See how often viewed, end one"
        ),
        place("Usage and cost", "usage").setting("Usage and cost", "main", help="Tokens, money, a month"),
        place("Limits", "account_limits").setting(
            "Limits per hour", "limits", help="What you may add and ask"
        ),
        place("Deletions", "receipts").setting("Deletions", "main", help="Receipts of what was deleted"),
    ]
