"""Whether a message to a webhook comes from SVQ: its signature, as in https://www.standardwebhooks.com."""

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

TOLERANCE = 300.0  # seconds


def is_from_svq(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> bool:
    """secret: of the webhook, `whsec_…`. headers: of the request, in letters of any case. body: the bytes
    as they came, before they are read as JSON. tolerance: seconds that the message may be old. now: seconds
    since 1970, of the clock if left out. Raises ValueError for a secret that is none.
    """
    key = _key(secret)
    told = {name.lower(): value for name, value in headers.items()}
    message, sent = told.get("webhook-id", ""), told.get("webhook-timestamp", "")
    if not (sent.isascii() and sent.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        return False  # somebody sends an old message again
    expected = hmac.new(key, f"{message}.{sent}.".encode() + body, hashlib.sha256).digest()
    signatures = (each.partition(",") for each in told.get("webhook-signature", "").split())
    return any(
        version == "v1" and hmac.compare_digest(base64.b64encode(expected), given.encode())
        for version, _, given in signatures
    )


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("This is not the secret of a webhook: it begins with whsec_.")
    return key
