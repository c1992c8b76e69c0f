"""A filled database of an earlier version, upgraded to this one: nothing is lost and everything works.

How the dumps are made: `tests.svq_site.upgrades.make`.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from accounts.models import User
from chat.models import Conversation, Turn, TurnStatus
from chat.services import ask
from datasources.models import Datasource, Document
from svq_site.host.schema.comparison import differences
from tests.conftest import run_jobs
from tests.database import connected_to, empty_database
from tests.people import browser_of
from tests.processes import url_of_test_database
from tests.svq_site.upgrades.dumps import DATASOURCE, DOCUMENT, PERSON, QUESTION, all_dumps, restore

MADE_BY_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}
Counts = dict[str, int]


@pytest.fixture(scope="module", params=all_dumps(), ids=lambda dump: dump.name)
def counts_before(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[Counts]:
    """How many rows each table had; on return, the database is upgraded and in use."""
    with django_db_blocker.unblock(), empty_database() as name, connected_to(name):
        restore(request.param, url_of_test_database())
        before = counts()
        call_command("migrate", verbosity=0)
        cache.clear()
        ContentType.objects.clear_cache()
        yield before
    ContentType.objects.clear_cache()


@pytest.fixture(autouse=True)
def _upgraded(counts_before: Counts, django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock():
        document = Document.objects.get(datasource__name=DATASOURCE)
        document.file.storage.save(document.file.name, ContentFile(DOCUMENT.read_bytes()))
        yield


def counts() -> Counts:
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in names))
        return dict(cursor.fetchall())


def test_it_has_what_this_version_needs() -> None:
    assert differences() == []


def test_no_row_is_lost(counts_before: Counts) -> None:
    filled = {name for name, count in counts_before.items() if count}
    # One of everything: a table that is empty in the dump is not tried.
    assert {
        "chat_citation",
        "compliance_finding",
        "evaluation_result",
        "tables_cell",
        "accounts_apitoken",
    } <= filled
    assert {
        "ingestion_chunkembedding",
        "graph_entity",
        "graph_entitymention",
        "research_importedpaper",
    } <= filled
    after = counts()
    lost = {name: (counts_before[name], after.get(name, 0)) for name in filled - MADE_BY_MIGRATIONS}
    assert {name: both for name, both in lost.items() if both[1] < both[0]} == {}


def test_pages_open_with_what_was_there() -> None:
    alice = User.objects.get(email=PERSON)
    agreements = Datasource.objects.get(name=DATASOURCE)
    thread = Conversation.objects.get(datasource=agreements)
    answered = Turn.objects.get(conversation=thread)
    document = Document.objects.get(datasource=agreements)
    client = browser_of(alice)
    for address, words in {
        "/": DATASOURCE,
        f"/d/{agreements.pk}/": "security-questionnaire",
        f"/d/{agreements.pk}/chat/{thread.pk}/": QUESTION,
        f"/d/{agreements.pk}/graph/": DATASOURCE,
        f"/d/{agreements.pk}/graph/?view=list": "Tarnbeck",
        f"/d/{agreements.pk}/search/?q=backups": "<mark>",
        f"/d/{agreements.pk}/chat/{thread.pk}/?turn={answered.number}&cite=1": "on the page",
        reverse("reader", args=[agreements.pk, document.pk]): "security-questionnaire",
        f"/d/{agreements.pk}/chunks/": document.title,
        f"/d/{agreements.pk}/settings/": DATASOURCE,
    }.items():
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert words in answer.content.decode(), address


def test_a_question_is_answered_from_what_was_read_before() -> None:
    alice, agreements = User.objects.get(email=PERSON), Datasource.objects.get(name=DATASOURCE)
    before = Turn.objects.get(question=QUESTION, conversation__datasource=agreements)
    asked = ask(alice, agreements, QUESTION, fresh=True)
    run_jobs("agent", "quotes")
    asked.refresh_from_db()
    assert asked.status == TurnStatus.QUOTES
    (quoted,) = asked.citations.all()[:1]
    assert quoted.quote == before.citations.earliest("n").quote
