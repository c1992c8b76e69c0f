"""Which passwords are refused because others would guess them."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import override

from accounts.models import User

ALICE = User(email="alice.smith@example.org", name="Alice Smith")


@pytest.mark.parametrize(
    "password",
    [
        "7491836205",
        "12.11.1980-1980",
        "+49 30 901820",
        "1234 5678 9012",
        "alice.smith@example.org",
        "alicesmith12",
        "Alice12345",
        "smith-2026!",
        "example2026!",
        "htims.ecila1",
    ],
)
def test_numbers_and_the_address_are_refused(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, ALICE)


@pytest.mark.parametrize("password", ["correct horse battery", "alice likes blue teapots", "k7#pQ2!vX9"])
def test_others_are_taken(password: str) -> None:
    validate_password(password, ALICE)


@pytest.mark.parametrize(("code", "few"), [("de", "10 Zeichen"), ("zh-hans", "10 个字符"), ("ar", "10 أحرف")])
def test_a_short_one_is_refused_in_the_language_of_the_page(code: str, few: str) -> None:
    with override(code), pytest.raises(ValidationError, match=few):
        validate_password("k7#pQ2!v", ALICE)
