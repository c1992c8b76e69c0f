"""The tokens of REST. All tokens of one sign-in name it, so that it can be ended with all of them at once.

The library ends tokens when the password changes (`CHECK_REVOKE_TOKEN`) and keeps the list of those that no
longer count. Here is what it lacks: signing out ends access tokens too, a refresh token that comes a second
time has been stolen from somebody and ends the sign-in, and no token that still counts is stored.
"""

from datetime import UTC, datetime
from typing import Any, Self
from uuid import uuid4

from django.db.models import Q
from django.utils import timezone
from rest_framework_simplejwt import tokens
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.token_blacklist.models import BlacklistedToken, OutstandingToken
from rest_framework_simplejwt.utils import get_md5_hash_password

from accounts.models import User
from accounts.second_factor import is_asked_of
from accounts.sessions import end_sessions, is_of

SIGN_IN = "sign_in"  # the claim
ENDED = "This sign-in has ended."


class AccessToken(tokens.AccessToken):
    def verify(self, *args: Any, **kwargs: Any) -> None:
        super().verify(*args, **kwargs)
        check_sign_in(self)


class RefreshToken(tokens.RefreshToken):
    access_token_class = AccessToken

    @classmethod
    def for_user(cls, user: Any) -> Self:
        # Past the library's mixin, which would store the token's text.
        token = super(tokens.BlacklistMixin, cls).for_user(user)
        token[SIGN_IN] = uuid4().hex
        return token

    def verify(self, *args: Any, **kwargs: Any) -> None:
        super().verify(*args, **kwargs)
        check_sign_in(self)

    def check_blacklist(self) -> None:
        """Raises TokenError."""
        try:
            super().check_blacklist()
        except TokenError:
            end_sign_in(self)
            raise

    def spend(self) -> None:
        """Make it invalid. Raises TokenError if somebody else has already done so."""
        listed: Any = self.blacklist()  # (row, whether it is new), whatever the library's annotation says
        if not listed[1]:
            raise TokenError(ENDED)


def check_sign_in(token: tokens.Token) -> None:
    """Raises TokenError when the sign-in has ended, or all those of the person since; or when a password,
    which all of them begin with, lets the person in no more.
    """
    issued = datetime.fromtimestamp(token["iat"], UTC)
    person = f"user-{token[api_settings.USER_ID_CLAIM]}"
    ended = Q(token__jti=token.get(SIGN_IN, "")) | Q(token__jti=person, blacklisted_at__gte=issued)
    if BlacklistedToken.objects.filter(ended).exists() or is_asked_of(token[api_settings.USER_ID_CLAIM]):
        raise TokenError(ENDED)


def owner_of(token: tokens.Token) -> User:
    """Raises TokenError if the account was deleted or switched off, or has another password by now."""
    user = User.objects.filter(pk=token[api_settings.USER_ID_CLAIM], is_active=True).first()
    if user is None or token.get(api_settings.REVOKE_TOKEN_CLAIM) != get_md5_hash_password(user.password):
        raise TokenError(ENDED)
    return user


def end_sign_in(token: tokens.Token) -> None:
    if sign_in := token.get(SIGN_IN):
        _list_ended(sign_in)


def end_all_sign_ins(user: User) -> None:
    """In every browser and program, for good: also when a switched-off account is switched on again.

    API tokens go too.
    """
    user.api_tokens.all().delete()
    _list_ended(f"user-{user.pk}")
    end_sessions(lambda _, session: is_of(session, user))


def forget_expired() -> None:
    """Tokens that have expired need not be listed."""
    OutstandingToken.objects.filter(expires_at__lt=timezone.now()).delete()


def _list_ended(name: str) -> None:
    until = timezone.now() + api_settings.REFRESH_TOKEN_LIFETIME
    row, _ = OutstandingToken.objects.update_or_create(jti=name, defaults={"expires_at": until, "token": ""})
    BlacklistedToken.objects.update_or_create(token=row, defaults={"blacklisted_at": timezone.now()})
