"""Commands act for the account that is named, else for the first administrator."""

import pytest
from django.core.management.base import CommandError

from accounts.models import User
from datasources.lookup import user_named

pytestmark = pytest.mark.django_db


def test_without_an_administrator_an_account_must_be_named(alice: User) -> None:
    with pytest.raises(CommandError, match="no administrator to act for"):
        user_named(None)
    assert user_named(alice.email.upper()) == alice
    chief = User.objects.create_superuser("chief@example.org")
    assert user_named(None) == chief
