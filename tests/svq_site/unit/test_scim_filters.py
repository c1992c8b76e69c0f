"""What directories name, as it is compared."""

import pytest

from svq_site.scim.filters import plain


@pytest.mark.parametrize(
    ("named", "compared"),
    [
        ('emails[type eq "work"].value', "emails.value"),
        ("urn:ietf:params:scim:schemas:core:2.0:User:userName", "username"),
        ("[" * 500_000, "[" * 500_000),  # in linear time
    ],
)
def test_a_name_is_read_without_its_schema_and_selector(named: str, compared: str) -> None:
    assert plain(named) == compared
