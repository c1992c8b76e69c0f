"""Texts that open something for whoever has them. They are shown once, and only a hash is kept."""

import secrets
from hashlib import sha256

BYTES = 32


def new_secret() -> str:
    """256 random bits, for an address or a header."""
    return secrets.token_urlsafe(BYTES)


def digest(secret: str) -> str:
    """What is kept of it, 64 characters. It has so many random bits that a plain hash cannot be guessed
    backwards.
    """
    return sha256(secret.encode(errors="replace")).hexdigest()
