"""The signature of webhooks: as the server writes it, and as nobody else can."""

import pytest

from exchange.webhooks.signing import headers, new_secret
from svq_client import is_from_svq

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SENT, BODY = 1614265330, b'{"test": 2432232314}'
SIGNED = headers(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", SENT, BODY.decode())


def test_what_the_server_signs_is_known() -> None:
    assert is_from_svq(SECRET, SIGNED, BODY, now=SENT + 299)
    assert is_from_svq(SECRET, {name.title(): value for name, value in SIGNED.items()}, BODY, now=SENT)
    two = SIGNED | {"webhook-signature": f"v1,AAAA {SIGNED['webhook-signature']}"}
    assert is_from_svq(SECRET, two, BODY, now=SENT), "while a secret is changed there are two"


@pytest.mark.parametrize(
    ("change", "body", "now"),
    [
        ({}, BODY + b" ", SENT),
        ({}, BODY, SENT + 301),
        ({}, BODY, SENT - 301),
        ({"webhook-id": "msg_other"}, BODY, SENT),
        ({"webhook-timestamp": str(SENT + 1)}, BODY, SENT),
        ({"webhook-timestamp": "²"}, BODY, SENT),
        ({"webhook-timestamp": ""}, BODY, SENT),
        ({"webhook-signature": "v1,é"}, BODY, SENT),
        ({"webhook-signature": SIGNED["webhook-signature"].replace("v1,", "v2,")}, BODY, SENT),
        ({"webhook-signature": ""}, BODY, SENT),
    ],
)
def test_anything_else_is_not(change: dict[str, str], body: bytes, now: int) -> None:
    assert not is_from_svq(SECRET, SIGNED | change, body, now=now)


def test_another_secret_does_not_fit_and_none_is_told() -> None:
    assert not is_from_svq(new_secret(), SIGNED, BODY, now=SENT)
    assert not is_from_svq(SECRET, {}, BODY, now=SENT)
    for secret in ("", "whsec_", "whsec_!"):
        with pytest.raises(ValueError, match="not the secret of a webhook"):
            is_from_svq(secret, SIGNED, BODY, now=SENT)
