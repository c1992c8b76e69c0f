"""The sections of one's own settings, and what a search finds in them."""

from django.urls import reverse

from accounts.forms import SettingsForm
from settings_pages.search import Place, Setting

PROFILE, APPEARANCE = ("name",), ("theme", "single_key_shortcuts", "show_answers_when_complete")
PAGE_OF_FIELD = dict.fromkeys(PROFILE, "account_settings") | dict.fromkeys(APPEARANCE, "account_appearance")


def settings_of_account() -> list[Setting]:
    """Everybody has the same."""

    def place(name: str, url: str) -> Place:
        return Place(name=name, address=reverse(url))

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
