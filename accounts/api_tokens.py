"""API tokens: what a program carries in place of a person, with some of the person's rights.

A token that counts puts itself on its person (`User.api_token`). Every look-up begins with the person, so
none of them can forget it. It counts until it expires or is revoked, or the password or the account ends.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken, TokenScope, User
from accounts.secret_texts import digest, new_secret
from localization.numbers import numeral

if TYPE_CHECKING:
    from rest_framework.views import APIView  # it loads these classes

ENDED = "The token was taken back or has expired."

# What the requests of a view need, by their method: what most views say with `token_scope`.
READING = dict.fromkeys(SAFE_METHODS, TokenScope.READ)
BY_METHOD: Mapping[str, TokenScope] = READING | dict.fromkeys(
    ("POST", "PUT", "PATCH", "DELETE"), TokenScope.WRITE
)
ASKING: Mapping[str, TokenScope] = dict.fromkeys(BY_METHOD, TokenScope.ASK)

PREFIX = "svq_"
SHOWN = 8  # characters of a token that are kept, for its person to know it by
MAX_NAME = 100
MAX_DAYS = 366
MAX_TOKENS = 100  # of one person
USE_NOTED = timedelta(minutes=1)  # "last used" is no older than that


def make_token(
    user: User,
    *,
    name: str,
    scopes: Iterable[TokenScope],
    datasource_ids: Collection[int] | None,
    days: int,
) -> tuple[ApiToken, str]:
    """The token's row and its text, which is nowhere kept. `datasource_ids` None: all that are the person's.

    The caller has checked that the person may see the datasources. Raises ValidationError.
    """
    name = " ".join(name.replace("\0", "").split())
    chosen = [scope.value for scope in TokenScope if scope in set(scopes)]
    secret = PREFIX + new_secret()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        _check(user, name, chosen, datasource_ids, days)
        token = ApiToken.objects.create(
            user=user,
            name=name,
            digest=digest(secret),
            beginning=secret[:SHOWN],
            scopes=chosen,
            datasource_ids=None if datasource_ids is None else sorted(set(datasource_ids)),
            password_mark=password_mark(user),
            expires=timezone.now() + timedelta(days=days),
        )
    return token, secret


def _check(user: User, name: str, scopes: list[str], datasources: Collection[int] | None, days: int) -> None:
    if not name:
        raise ValidationError(_("The token needs a name. Say what will use it."), code="name_missing")
    if len(name) > MAX_NAME:
        raise ValidationError(
            ngettext(
                "The name has {n} character; the limit is {max_name}. Shorten it.",
                "The name has {n} characters; the limit is {max_name}. Shorten it.",
                len(name),
            ).format(n=numeral(len(name)), max_name=numeral(MAX_NAME)),
            code="name_long",
        )
    if not scopes:
        raise ValidationError(
            _("The token would not be allowed anything. Tick what it may do."), code="scope_missing"
        )
    if datasources is not None and not datasources:
        raise ValidationError(
            _("The token would reach no datasource. Tick at least one."), code="datasource_missing"
        )
    if not 1 <= days <= MAX_DAYS:
        raise ValidationError(
            _("A token lasts from 1 to {max_days} days.").format(max_days=MAX_DAYS), code="days"
        )
    if user.api_tokens.filter(name=name).exists():
        raise ValidationError(
            _("You have a token called “{name}” already. Choose another name.").format(name=name),
            code="name_taken",
        )
    if user.api_tokens.filter(grant=None).count() >= MAX_TOKENS:
        raise ValidationError(
            _("You have {max_tokens} tokens. Revoke one first.").format(max_tokens=MAX_TOKENS),
            code="too_many_tokens",
        )


def password_mark(user: User) -> str:
    """Another one after each change of the password, whichever way it was changed."""
    return sha256(user.password.encode()).hexdigest()


def token_of(secret: str) -> ApiToken | None:
    """The token of that text, which a person has made, if it counts. Those of programs count elsewhere
    (`accounts.programs.tokens`).
    """
    return note_use(ApiToken.objects.filter(grant=None, digest=digest(secret)))


def note_use(found: QuerySet[ApiToken]) -> ApiToken | None:
    """The token that was found, with its person, if it counts; its use is noted."""
    now = timezone.now()
    token = found.select_related("user").filter(expires__gt=now, user__is_active=True).first()
    if token is None or _has_new_password(token):
        return None
    long_ago = Q(last_used=None) | Q(last_used__lt=now - USE_NOTED)
    ApiToken.objects.filter(long_ago, pk=token.pk).update(last_used=now)
    token.user.api_token = token
    return token


def still_counts(user: User) -> bool:
    """Whether the token that began a long request has not ended meanwhile."""
    if user.api_token is None:
        return True
    counting = ApiToken.objects.select_related("user").filter(
        expires__gt=timezone.now(), user__is_active=True
    )
    token = counting.filter(pk=user.api_token.pk).first()
    return token is not None and not _has_new_password(token)


def _has_new_password(token: ApiToken) -> bool:
    """Whether the person has changed the password since the token was made."""
    return token.password_mark != password_mark(token.user)


def bearer(authorization: str) -> str:
    """The API token in an Authorization header; empty where there is none or it is of another kind."""
    scheme, _, given = authorization.strip().partition(" ")
    given = given.strip()
    return given if scheme.lower() == "bearer" and given.startswith(PREFIX) else ""


# --- REST --------------------------------------------------------------------------------------------------
class ApiTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer svq_...`. Stands before the other kinds, which refuse what they cannot read."""

    CHALLENGE = 'Bearer realm="api"'

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Raises AuthenticationFailed: the same for unknown, expired and revoked tokens."""
        secret = bearer(request.headers.get("Authorization", ""))
        if not secret:
            return None
        token = token_of(secret)
        if token is None:
            raise AuthenticationFailed
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return self.CHALLENGE


class WithinTokenScopes(BasePermission):
    """What an API token may do. People who sign in themselves pass.

    A view says with `token_scope` what its requests need, one scope for all or one by method; a view that
    says nothing is closed to tokens. Whoever may read may read everywhere.
    """

    message = "This API token may not do that. Make one with that right in your settings."
    code = "token_scope"

    def has_permission(self, request: Request, view: "APIView") -> bool:
        person = request.user
        if not isinstance(person, User) or person.api_token is None:
            return True
        needed = scope_needed(view, request.method or "")
        reads = request.method in SAFE_METHODS
        return needed is not None and (person.may(needed) or (reads and person.may(TokenScope.READ)))


def scope_needed(view: Any, method: str) -> TokenScope | None:
    """What a token needs for a request to a view or to its class; None: no token will do."""
    said = getattr(view, "token_scope", None)
    return said.get(method) if isinstance(said, Mapping) else said
