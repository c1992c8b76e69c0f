"""Two web processes count attempts together, and what they counted is forgotten afterwards."""

import os
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.limits import Limit
from accounts.models import AttemptCount, User
from accounts.tasks import forget_attempts
from tests.processes import url_of_test_database

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.django_db(transaction=True)
def test_two_processes_let_ten_of_forty_wrong_passwords_through(alice: User) -> None:
    command = [sys.executable, "-m", "tests.accounts.guessing", alice.email, "20"]
    environment = os.environ | {"DATABASE_URL": url_of_test_database(), "SVQ_HTTPS": "0"}
    guessing = [
        subprocess.Popen(
            command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for process in guessing:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    answers = Counter(status for process in guessing for status in process.communicate()[0].split())
    assert answers == {"401": 10, "429": 30}


def test_a_window_that_has_ended_begins_anew_and_is_forgotten(db: None) -> None:
    limit = Limit(name="test", attempts=1, seconds=60)
    assert [limit.take("ada"), limit.take("ada") > 0, limit.take("bob")] == [0, True, 0]
    AttemptCount.objects.filter(count=2).update(ends=timezone.now() - timedelta(seconds=1))
    assert limit.take("ada") == 0
    AttemptCount.objects.update(ends=timezone.now() - timedelta(seconds=1))
    limit.take("bob")
    forget_attempts(0)
    assert AttemptCount.objects.count() == 1
