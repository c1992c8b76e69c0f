"""The secret half of the key that signs what leaves this deployment: SVQ_SIGNING_KEY, or a file of the data
folder that only its owner may read (settings.SIGNING_KEY_SOURCE).
"""

import secrets

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from svq_site.database import data_folder

BYTES = 32  # of an Ed25519 key


def signing_key(*, make: bool) -> bytes | None:
    """Its 32 bytes. Where there is none, one is made at this first use and kept; None unless `make`.

    Raises ImproperlyConfigured where the file holds something else.
    """
    if settings.SIGNING_KEY:
        return bytes(settings.SIGNING_KEY)
    path = settings.DATA_DIR / "signing_key"
    if not path.exists():
        if not make:
            return None
        data_folder.make(settings.DATA_DIR)
        data_folder.keep_secret(path, secrets.token_hex(BYTES))
    try:
        found = bytes.fromhex(path.read_text())
    except ValueError:
        found = b""
    if len(found) != BYTES:
        raise ImproperlyConfigured(f"{path} holds no key any more. Put back the one that was there.")
    return found
