"""Signing in and out over REST, slowly enough that passwords cannot be guessed; and who is signed in."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied, Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView
from rest_framework_simplejwt.authentication import JWTAuthentication
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.serializers import TokenObtainPairSerializer, TokenRefreshSerializer
from rest_framework_simplejwt.views import TokenObtainPairView, TokenRefreshView

from accounts import addresses, tokens
from accounts.api_fields import KnownFields
from accounts.attempts import REST, Attempt, TooManyAttempts
from accounts.audit_sign_in import entered, left, not_let_in
from accounts.limits import Limit, network
from accounts.models import User
from accounts.second_factor import is_asked_of

if TYPE_CHECKING:
    from rest_framework_simplejwt.tokens import Token


def signed_in(request: Request) -> User:
    """The person behind a request that has passed IsAuthenticated."""
    assert isinstance(request.user, User)
    return request.user


def administrator(request: Request) -> User:
    """The same where it is an administrator, by a program that reaches all that is theirs. Raises Http404:
    for everybody else there is nothing.
    """
    person = signed_in(request)
    if not (person.is_superuser and person.reach is None):
        raise Http404
    return person


def refuse_limited_token(request: Request) -> None:
    """What an API token for some datasources made beside them, it would not see afterwards. Raises
    PermissionDenied.
    """
    if signed_in(request).reach is not None:
        raise PermissionDenied


class LoginSerializer(KnownFields[Any], TokenObtainPairSerializer):
    token_class = tokens.RefreshToken

    def validate(self, attrs: dict[str, Any]) -> dict[str, str]:
        """Raises AuthenticationFailed, Throttled."""
        try:
            with Attempt(self.context["request"], attrs["email"], REST) as attempt:
                try:
                    given = super().validate(attrs)
                except AuthenticationFailed:
                    attempt.end(success=False)
                    raise
                attempt.end(success=True)
            if isinstance(self.user, User) and not addresses.is_confirmed(self.user):
                not_let_in(self.context["request"], self.user, "address not confirmed")
                raise AuthenticationFailed(
                    "The address of this account is not confirmed. Open the link that was mailed to it.",
                    code="address_not_confirmed",
                )
            if isinstance(self.user, User) and is_asked_of(self.user.pk):
                not_let_in(self.context["request"], self.user, "a second factor is needed")
                raise AuthenticationFailed(
                    "This account needs a second factor, which is not asked for here. Sign in on the page, "
                    "make an API token in your settings, and send that.",
                    code="second_factor",
                )
            if isinstance(self.user, User):
                entered(self.context["request"], self.user)
        except TooManyAttempts as refusal:
            raise Throttled(wait=refusal.wait) from refusal
        tokens.forget_expired()
        return given


class RefreshSerializer(KnownFields[Any], TokenRefreshSerializer):
    def validate(self, attrs: dict[str, Any]) -> dict[str, str]:
        """Spend the token for new ones. Raises TokenError."""
        old = tokens.RefreshToken(attrs["refresh"])
        user = tokens.owner_of(old)
        old.spend()
        new = tokens.RefreshToken.for_user(user)
        new[tokens.SIGN_IN] = old.get(tokens.SIGN_IN)
        return {"access": str(new.access_token), "refresh": str(new)}


class LogoutSerializer(KnownFields[None]):
    refresh = serializers.CharField(required=False, help_text="Without it, the access token is asked.")


class Refreshes(BaseThrottle):
    """Refreshing and signing out, from one network."""

    limit: ClassVar = Limit(name="rest-refresh", attempts=60, seconds=60)
    seconds = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.seconds = self.limit.take(network(request))
        return not self.seconds

    def wait(self) -> float | None:
        return self.seconds


class Login(TokenObtainPairView):
    """E-mail address and password for an access token (30 minutes) and a refresh token (14 days)."""

    serializer_class = LoginSerializer


class Refresh(TokenRefreshView):
    """A refresh token for a new access token and a new refresh token; the old one is no longer valid."""

    serializer_class = RefreshSerializer
    throttle_classes = (Refreshes,)


class Logout(APIView):
    """End a sign-in: its access tokens and its refresh token are no longer valid."""

    authentication_classes = ()  # an access token that has expired must not keep anybody from signing out
    permission_classes = ()
    throttle_classes = (Refreshes,)

    def get_authenticate_header(self, request: Request) -> str:
        return JWTAuthentication().authenticate_header(request)

    @extend_schema(request=LogoutSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        given = LogoutSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        ended = self.token(request, given.validated_data.get("refresh", ""))
        tokens.end_sign_in(ended)
        left(request, User.objects.filter(pk=ended.get("user_id")).first())
        return Response(status=status.HTTP_204_NO_CONTENT)

    def token(self, request: Request, refresh: str) -> "Token":
        """Raises AuthenticationFailed, NotAuthenticated."""
        if refresh:
            try:
                return tokens.RefreshToken(refresh)  # type: ignore[arg-type]
            except TokenError as error:
                raise AuthenticationFailed from error
        if given := JWTAuthentication().authenticate(request):
            return given[1]
        raise NotAuthenticated
