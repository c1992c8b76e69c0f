"""The key of this deployment that signs packs (Ed25519, RFC 8032), and public keys of any deployment."""

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from django.conf import settings
from django.utils.module_loading import import_string

KEY_BYTES, SIGNATURE_BYTES = 32, 64


class BadKey(Exception):
    """The text is no public key; the message says so in a sentence."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """raw: its 32 bytes."""

    raw: bytes

    @property
    def fingerprint(self) -> str:
        """SHA-256 of its 32 bytes, hexadecimal."""
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def shown(self) -> str:
        """The fingerprint as people compare it: in groups of four."""
        return in_groups(self.fingerprint)

    @property
    def text(self) -> str:
        return base64.b64encode(self.raw).decode()

    @property
    def pem(self) -> str:
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    def has_signed(self, signature: bytes, content: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, content)
        except (InvalidSignature, ValueError):
            return False
        return True


def in_groups(fingerprint: str) -> str:
    return " ".join(fingerprint[at : at + 4] for at in range(0, len(fingerprint), 4))


def public_key_of(pem: bytes) -> PublicKey:
    """The key in a PEM file. Raises BadKey."""
    try:
        key = load_pem_public_key(pem)
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey("It is no public key of the kind that signs packs (Ed25519, as a PEM file).")
    return _public(key)


def fingerprint_of(text: str) -> str:
    """A fingerprint as people write it: with or without spaces, colons and capitals. Raises BadKey."""
    bare = re.sub(r"[\s:]", "", text).lower()
    if not re.fullmatch(r"[0-9a-f]{64}", bare):
        raise BadKey("A fingerprint has 64 digits and letters from a to f.")
    return bare


def own_key() -> PublicKey:
    """The public half of this deployment's key, which is made where there is none."""
    return _public(_private().public_key())


def own_key_if_made() -> PublicKey | None:
    """None where this deployment has signed nothing yet."""
    seed = _kept(make=False)
    return None if seed is None else _public(Ed25519PrivateKey.from_private_bytes(seed).public_key())


def signed(content: bytes) -> bytes:
    """This deployment's signature of the content: 64 bytes."""
    return _private().sign(content)


def _public(key: Ed25519PublicKey) -> PublicKey:
    return PublicKey(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def _private() -> Ed25519PrivateKey:
    seed = _kept(make=True)
    assert seed is not None
    return Ed25519PrivateKey.from_private_bytes(seed)


def _kept(*, make: bool) -> bytes | None:
    find: Callable[..., bytes | None] = import_string(settings.SIGNING_KEY_SOURCE)
    return find(make=make)
