"""Signing in over REST, slowly enough that passwords cannot be guessed; and who is signed in."""

import hashlib
from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework_simplejwt.views import TokenObtainPairView, TokenRefreshView

from accounts.models import User

if TYPE_CHECKING:
    from rest_framework.views import APIView


def signed_in(request: Request) -> User:
    """The person behind a request that has passed IsAuthenticated."""
    assert isinstance(request.user, User)
    return request.user


class FromOneAddress(SimpleRateThrottle):
    """Attempts from one network address. X-Forwarded-For is not read: anyone can write it."""

    scope = "login"

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        return self.cache_format % {"scope": self.scope, "ident": request.META.get("REMOTE_ADDR", "")}


class ForOneAccount(SimpleRateThrottle):
    """Attempts at one account, from wherever they come."""

    scope = "login"

    def get_cache_key(self, request: Request, view: "APIView") -> str | None:
        email = request.data.get("email") if isinstance(request.data, dict) else None
        if not email:
            return None
        digest = hashlib.sha256(str(email).strip().lower().encode()).hexdigest()
        return self.cache_format % {"scope": self.scope, "ident": digest}


class Login(TokenObtainPairView):
    """E-mail address and password for an access token (30 minutes) and a refresh token (14 days)."""

    throttle_classes = (FromOneAddress, ForOneAccount)


class Refresh(TokenRefreshView):
    """A refresh token for a new access token."""

    throttle_classes = (FromOneAddress,)
