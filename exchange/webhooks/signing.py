"""How what is sent is signed: as Standard Webhooks has it (https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
BYTES = 32


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def headers(secret: str, message: str, timestamp: int, body: str) -> dict[str, str]:
    """message: its id, the same at each attempt. timestamp: seconds since 1970, of this attempt."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{message}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }
