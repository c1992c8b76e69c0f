"""The page of background work, without a word of what an administrator may not see."""

from collections.abc import Iterator

import pytest
from django.test import Client
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource
from sql import rows
from svq_site.activity.words import words
from tests.responses import content_of
from tests.world import client_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """Jobs that seem to be done by a worker stay after a test, unless it removes them."""
    yield
    ProcrastinateJob.objects.all().delete()


@pytest.fixture
def administrator() -> User:
    return User.objects.create_superuser("root@example.org", "Enough-Words-7")


@pytest.fixture
def started(contracts: Datasource) -> int:
    """A drawing of alice's graph that a worker does, three tenths of it done."""
    task = app.configure_task("graph.tasks.lay_out_graph")
    pk = int(task.defer(datasource_id=contracts.pk))
    ((worker,),) = rows("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id")
    rows("INSERT INTO jobs_workerprocess VALUES (%s, 'worker for upkeep', 'here', 1, now())", worker)
    rows("UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s WHERE id = %s", worker, pk)
    rows("INSERT INTO jobs_jobreport VALUES (%s, 3, 10, '', now())", pk)
    return pk


def page(user: User) -> str:
    return content_of(client_of(user).get("/background/")).decode()


def test_it_says_what_runs_where_how_far_and_how_long_it_may(administrator: User, started: int) -> None:
    text = page(administrator)
    for part in ("Drawing the graph", "worker for upkeep", "30 %", "10 minutes", "just now"):
        assert part in text, part


def test_it_says_how_many_wait_and_what_failed(administrator: User, contracts: Datasource) -> None:
    for _ in range(3):
        app.configure_task("graph.tasks.lay_out_graph").defer(datasource_id=contracts.pk)
    failed = app.configure_task("ingestion.vector_jobs.maintain_vectors").defer(datasource_id=contracts.pk)
    rows("UPDATE procrastinate_jobs SET status = 'failed' WHERE id = %s", failed)
    rows("INSERT INTO jobs_jobreport VALUES (%s, 0, 0, 'This took too long.', now())", failed)
    text = page(administrator)
    assert "This took too long." in text
    assert '<td class="n small" data-label="Next in turn">3</td>' in text


def test_it_says_of_jobs_that_nothing_here_does_why_they_wait(administrator: User) -> None:
    app.configure_task("graph.tasks.lay_out_graph").defer(datasource_id=1)
    assert "No worker here can run these jobs" not in page(administrator)
    app.configure_task("weigh").defer(scale_id=1)
    text = page(administrator)
    assert "Weigh" in text
    assert text.count("they belong to a desk that is left out (SVQ_LEAVE_OUT), or to another version") == 1


def test_only_those_who_may_see_a_datasource_read_its_name(
    administrator: User, started: int, alice: User, contracts: Datasource
) -> None:
    assert contracts.name not in page(administrator)
    assert f"Datasource {contracts.pk}" in page(administrator)
    assert client_of(alice).get("/background/").status_code == 404
    assert Client().get("/background/").status_code in {302, 404}
    alice.is_staff = alice.is_superuser = True
    alice.save()
    assert contracts.name in page(alice)


def test_tasks_without_words_have_their_name() -> None:
    assert words("events.tasks.trim_events") == "Trim events"
    assert words("answer") == "Answering a question"
