"""A step of reading and a kind of derived data that an app adds: a class and a line in the settings each."""

import io
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from accounts.models import User
from datasources.derived import Change, DerivedData, derived_data
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import loss_of
from ingestion import queueing
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.lifecycle.rechunking import rechunk
from ingestion.run import DocumentRun, start
from ingestion.step import Step, steps
from tests.factories import SAMPLE
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

HERE = "tests.ingestion.integration.test_registries"


class CountLetters(Step):
    name = "letters"
    label = "Letters"
    status = DocumentStatus.LINKING
    counted = "page_count"
    counts: dict[int, int] = {}

    def run(self, run: DocumentRun) -> None:
        run.enter(self.status, total=run.document.page_count or 0)
        for number, page in enumerate(run.document.pages.all(), start=1):
            with run.writing():
                self.counts[page.pk] = len(page.text)
                run.advance(number)

    def now(self, document: Document) -> str:
        return f"Counting letters of page {document.stage_done} of {document.stage_total}"


class Recorder(DerivedData):
    """Remembers what it was told."""

    changes: list[Change] = []
    purged_datasources: list[Datasource] = []
    loss = "notes"

    def apply(self, change: Change) -> None:
        self.changes.append(change)

    def purge_datasource(self, datasource: Datasource) -> None:
        self.purged_datasources.append(datasource)

    def count_loss(self, datasource: Datasource) -> int:
        return 7


@pytest.fixture
def recorded(settings: Any) -> Iterator[list[Change]]:
    settings.DERIVED_DATA = [f"{HERE}.Recorder", *settings.DERIVED_DATA]
    with mock.patch.object(Recorder, "changes", []), mock.patch.object(Recorder, "purged_datasources", []):
        yield Recorder.changes


def add(datasource: Datasource, user: User, more: bytes = b"", **options: Any) -> Document:
    file = io.BytesIO(SAMPLE.read_bytes() + more)
    return accept_upload(datasource, user, "a.pdf", file, **options)[0].document


def test_an_added_step_runs_and_shows_its_progress(
    contracts: Datasource, alice: User, settings: Any, work: Any
) -> None:
    settings.PIPELINE_STEPS = [*settings.PIPELINE_STEPS[:3], f"{HERE}.CountLetters"]
    document = add(contracts, alice)
    run = start(document.pk)
    assert run
    for step in steps():
        step.run(run)
    page = text_of(browser_of(alice).get(reverse("documents", args=[contracts.pk])))
    assert "Counting letters of page 2 of 2" in page
    document.refresh_from_db()
    queueing.queue(document)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert all(CountLetters.counts[page.pk] == len(page.text) for page in document.pages.all())


def test_each_act_tells_derived_data_once(
    contracts: Datasource, alice: User, work: Any, recorded: list[Change]
) -> None:
    old = add(contracts, alice)
    work()
    deletion.delete(old)
    deletion.restore(old)
    rechunk(contracts, size=500, overlap=50)
    work()
    new = add(contracts, alice, b"\n%", replaces=old)
    work()
    purge(new)
    assert recorded == [
        Change(datasource_id=contracts.pk, **told)
        for told in (
            {"published": [old.pk]},
            {"withdrawn": [old.pk]},
            {"published": [old.pk]},
            {"rechunked": [old.pk]},
            {"published": [old.pk]},
            {"published": [new.pk], "superseded": {old.pk: new.pk}},
            {"purged": [new.pk, old.pk]},
        )
    ]


def test_a_datasource_names_what_every_app_loses(
    contracts: Datasource, alice: User, recorded: list[Change]
) -> None:
    add(contracts, alice)
    loss = browser_of(alice).get(reverse("api-loss", args=[contracts.pk])).json()
    assert loss == {
        "documents": 1,
        "members": 1,
        "notes": 7,
        "conversations": 0,
        "evaluations": 0,
        "tables": 0,
        "assessments": 0,
        "memos": 0,
        "share_links": 0,
        "sentence": "1 file, 7 notes and 0 conversations go with it.",
    }
    assert str(loss_of(contracts)) == loss["sentence"]
    purge_datasource(contracts)
    assert len(Recorder.purged_datasources) == 1


def test_a_class_of_another_shape_is_refused(settings: Any) -> None:
    settings.DERIVED_DATA = [f"{HERE}.CountLetters"]
    with pytest.raises(ImproperlyConfigured, match="CountLetters is no"):
        derived_data()
