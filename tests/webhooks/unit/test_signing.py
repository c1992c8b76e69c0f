"""The signature of Standard Webhooks, by the example of its libraries."""

from exchange.webhooks.signing import headers, new_secret

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_example_of_the_standard() -> None:
    signed = headers(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}')
    assert signed == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_secret_is_long_and_its_own() -> None:
    assert len(new_secret()) == len("whsec_") + 44
    assert new_secret() != new_secret()
