"""A filling that is asked for several times at once, by a double click or by a proxy that sends it again."""

from typing import Any

import pytest
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource
from tests.rest import program
from tests.tables.world import table_of
from tests.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_three_requests_at_once_are_one_filling(contracts: Datasource, alice: User) -> None:
    table = table_of(contracts, alice)
    api, _ = program(alice)

    def post() -> Any:
        return api.post(f"tables/{table.pk}/fill", {})

    answers = together(3, post)
    assert [answer.status_code for answer in answers] == [202] * 3
    assert {answer.json()["status"] for answer in answers} == {"queued"}
    assert ProcrastinateJob.objects.filter(task_name="fill_table", status="todo").count() == 1
