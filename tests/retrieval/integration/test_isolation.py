"""Random people ask random datasources: no search gives a row of a datasource that is not theirs."""

import random

import pytest

from accounts.models import User
from benchmarks.vectors import strangers

pytestmark = pytest.mark.django_db


def test_nobody_gets_a_row_of_another_s() -> None:
    random.seed(1)
    assert not User.objects.exists()
    told = strangers(300)
    assert told["queries"] == 300
    assert told["rows"] > 500
    assert told["rows of another's"] == 0
