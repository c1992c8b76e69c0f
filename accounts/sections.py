"""The sections of one's own settings and of the server's, and what a search finds in them."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.forms import SettingsForm
from accounts.models import User
from settings_pages.search import Place, Setting

PROFILE, APPEARANCE = ("name",), ("theme", "language", "single_key_shortcuts", "show_answers_when_complete")
PAGE_OF_FIELD = dict.fromkeys(PROFILE, "account_settings") | dict.fromkeys(APPEARANCE, "account_appearance")


def appearance() -> list[str]:
    """The fields that its page shows: a language is chosen where there are several."""
    return [name for name in APPEARANCE if name != "language" or len(settings.LANGUAGES) > 1]


def _place(name: str, url: str) -> Place:
    return Place(name=name, address=reverse(url))


def settings_of_server(person: User) -> list[Setting]:
    """What administrators find there; others nothing."""
    if not person.is_superuser:
        return []
    pages = [
        (_("Models"), "models", _("Connect a language model, embeddings, price")),
        (_("Installed models"), "installed_models", _("Models that run on this server. Download, remove")),
        (_("People"), "people", _("Accounts: invite, invitation, shut off, sign out, hand over. Users")),
        (
            _("Groups"),
            "groups",
            _("Groups of people with whom datasources are shared. Members, team, department"),
        ),
        (
            _("Sign-in"),
            "sign_in_settings",
            _("Sign-in providers, OpenID, SAML, SSO, who needs a second factor"),
        ),
        (
            _("Programs of all people"),
            "programs_of_everybody",
            _("What people have let in. OAuth, MCP, agents. End"),
        ),
        (
            _("Allowed tool servers"),
            "outside_servers",
            _("MCP servers whose tools answers may use. Add, remove, token"),
        ),
        (_("Directories"), "directories", _("SCIM: a firm's directory makes and shuts off accounts. Token")),
        (_("Audit log"), "audit_log", _("Who did what and when. Entries, seals")),
        (_("Background work"), "background_work", _("Jobs that run, wait or failed. Queue, workers")),
    ]
    owners = _place(_("Models"), "models").setting(
        _("Servers of owners"), "owners", help=_("What owners may connect. Webhooks in private networks")
    )
    found = [_place(_("Server"), url).setting(name, "main", help=help) for name, url, help in pages]
    return [*found, owners]


def settings_of_account() -> list[Setting]:
    """Everybody has the same."""
    place = _place
    profile, form = place(_("Profile"), "account_settings"), SettingsForm()
    return [
        *profile.fields(form, PROFILE),
        profile.setting(_("E-mail address"), "email", help=_("You sign in with it")),
        place(_("Password"), "account_change_password").setting(_("Password"), "main", help=_("Change it")),
        place(_("Second factor"), "mfa_index").setting(
            _("Second factor"),
            "second-factor",
            help=_("Codes of an app, passkeys, recovery codes. 2FA, TOTP"),
        ),
        *place(_("Appearance"), "account_appearance").fields(form, appearance()),
        place(_("API tokens"), "api_tokens").setting(
            _("API tokens"), "tokens", help=_("For programs. Make one, revoke one. Connect an agent, MCP")
        ),
        place(_("Programs"), "programs").setting(
            _("Programs"), "let-in", help=_("That you have let in. End one. Agents, MCP, OAuth")
        ),
        place(_("Outside tools"), "own_outside_tokens").setting(
            _("Your tokens for outside tools"),
            "tokens",
            help=_("Of programs that ask each person for one. MCP"),
        ),
        place(_("Share links"), "share_links").setting(
            _("Share links"), "links", help=_("For people without an account. See how often viewed, end one")
        ),
        place(_("Usage and cost"), "usage").setting(
            _("Usage and cost"), "main", help=_("Tokens, money, a month")
        ),
        place(_("Limits"), "account_limits").setting(
            _("Limits per hour"), "limits", help=_("What you may add and ask")
        ),
        place(_("Deletions"), "receipts").setting(
            _("Deletions"), "main", help=_("Receipts of what was deleted")
        ),
    ]
