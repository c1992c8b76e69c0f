"""How allauth signs in with accounts of others: the providers of the database, and `admission`'s rules."""

from typing import TYPE_CHECKING, Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest
from django.urls import reverse

from accounts.identity import sessions
from accounts.identity.admission import NotAdmitted, account_of_address, require_new_account
from accounts.identity.models import IdentityProvider, Language
from accounts.identity.pages import refused
from accounts.models import User

if TYPE_CHECKING:
    from allauth.socialaccount.models import SocialApp, SocialLogin


# What allauth calls the languages.
KNOWN_AS = {Language.OPENID: "openid_connect", Language.SAML: "saml"}


class ProviderAdapter(DefaultSocialAccountAdapter):
    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> "list[SocialApp]":
        """allauth's rows of providers stay empty: they would hold the secrets as they are."""
        from allauth.socialaccount.models import SocialApp

        return [
            SocialApp(
                provider=KNOWN_AS[Language(row.language)],
                provider_id=row.key,
                name=row.name,
                client_id=row.client_id,
                settings={"server_url": row.issuer},
            )
            for row in IdentityProvider.objects.all()
            if provider in (None, KNOWN_AS[Language(row.language)], row.key)
            and client_id in (None, row.client_id)
        ]

    def pre_social_login(self, request: HttpRequest, sociallogin: "SocialLogin") -> None:
        """Raises ImmediateHttpResponse where somebody unknown gets no account."""
        if sociallogin.is_existing or sociallogin.state.get("process") == "connect":
            return
        addresses = sociallogin.email_addresses
        try:
            require_new_account(
                provider_of(sociallogin),
                addresses[0].email if addresses else "",
                confirmed=bool(addresses and addresses[0].verified),
            )
        except NotAdmitted as refusal:
            raise ImmediateHttpResponse(refused(request, provider_of(sociallogin), str(refusal))) from refusal

    def authenticate_by_email(self, sociallogin: "SocialLogin") -> tuple[User, str] | None:
        if sociallogin.state.get("process") == "connect":
            return None
        for one in sociallogin.email_addresses:
            if one.verified and (person := account_of_address(provider_of(sociallogin), one.email)):
                return person, one.email
        return None

    def is_email_verified(self, provider: Any, email: str) -> bool:
        """By the claim alone, never by a setting."""
        return False

    def is_open_for_signup(self, request: HttpRequest, sociallogin: "SocialLogin") -> bool:
        return True  # otherwise `pre_social_login` has ended it

    def populate_user(self, request: HttpRequest, sociallogin: "SocialLogin", data: dict[str, Any]) -> User:
        person = sociallogin.user
        assert isinstance(person, User)
        name = data.get("name")
        person.email = data.get("email") or ""
        person.name = " ".join(name.replace("\0", "").split())[:150] if isinstance(name, str) else ""
        return person

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("account_settings")


def provider_of(login: "SocialLogin") -> IdentityProvider:
    return IdentityProvider.objects.get(pk=login.state[sessions.KEY]["provider"])
