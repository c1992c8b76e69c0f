"""How a service account signs in to Google (a signed assertion, RFC 7523), also for a person."""

import json
import time
from collections.abc import Callable
from typing import Any

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.utils.translation import gettext as _

from exchange.connectors.sources.cloud.client import Tokens
from exchange.connectors.sources.source import SourceError

NAME = "Google"
TOKENS = "https://oauth2.googleapis.com/token"
DRIVE_SCOPE, GMAIL_SCOPE = "https://www.googleapis.com/auth/drive.readonly", "https://mail.google.com/"
GOOD_FOR = 600  # seconds
MOST_BITS, LONGEST_KEY = 4096, 4000  # of a private key, and characters: a long one takes minutes to use


class GoogleTokens(Tokens):
    """key: the JSON file of the service account. Of it the address and the private key are used: where it
    says that tokens are to be had is not asked. person: on whose behalf, if any.
    """

    def __init__(self, key: str, person: str, scope: str, should_stop: Callable[[], bool]) -> None:
        super().__init__(NAME, should_stop)
        self._key, self._person, self._scope = key, person, scope

    def token(self) -> str:
        """Raises SourceError."""
        if token := self.kept(self._scope):
            return token
        now = int(time.time())
        account, private = self._account()
        claims: dict[str, Any] = {"iss": account, "scope": self._scope, "aud": TOKENS}
        claims |= {"iat": now, "exp": now + GOOD_FOR} | ({"sub": self._person} if self._person else {})
        try:
            key = load_pem_private_key(private.encode(), None)
            if not isinstance(key, RSAPrivateKey) or key.key_size > MOST_BITS:
                raise _no_key()
            assertion = jwt.encode(claims, key, algorithm="RS256")
        except (ValueError, TypeError, UnsupportedAlgorithm, jwt.PyJWTError):
            raise _no_key() from None
        form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion}
        return self.asked(self._scope, TOKENS, form)

    def _account(self) -> tuple[str, str]:
        try:
            data = json.loads(self._key)
            account, private = data["client_email"], data["private_key"]
        except (ValueError, RecursionError, TypeError, KeyError):
            raise _no_key() from None
        if not isinstance(account, str) or not isinstance(private, str) or len(private) > LONGEST_KEY:
            raise _no_key()
        return account, private


def _no_key() -> SourceError:
    return SourceError(
        "refused",
        _("That is not the key of a service account."),
        _("Paste the whole JSON file that Google gives for the account, from { to }."),
    )
