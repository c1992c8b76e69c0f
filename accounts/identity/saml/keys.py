"""The key with which SVQ signs what it sends to a provider that asks for that."""

from datetime import timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.identity.models import IdentityProvider
from accounts.identity.refusals import Unusable
from accounts.identity.saml.xml import MORE
from providers.connections.secrets import Unreadable, decrypted, encrypted

LASTS = timedelta(days=3650)  # providers keep what was entered there once
RSA_SHA256 = f"{MORE}rsa-sha256"


def make_key(provider: IdentityProvider) -> None:
    """Give it one, unless it has one. The row is not saved."""
    if provider.own_certificate:
        return
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "SVQ")])
    now = timezone.now()
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LASTS)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    provider.encrypted_secret = encrypted(pem)
    provider.own_certificate = certificate.public_bytes(Encoding.PEM).decode()


def forget_key(provider: IdentityProvider) -> None:
    provider.encrypted_secret = provider.own_certificate = ""


def signature(provider: IdentityProvider, content: bytes) -> bytes:
    """Raises Unusable."""
    try:
        key = load_pem_private_key(decrypted(provider.encrypted_secret).encode(), None)
    except (Unreadable, ValueError) as error:
        raise Unusable(
            _(
                "The key that signs was encrypted with another SVQ_SECRET_KEY. Take the tick off, save, and "
                "set it again."
            )
        ) from error
    assert isinstance(key, rsa.RSAPrivateKey)
    return key.sign(content, padding.PKCS1v15(), hashes.SHA256())
