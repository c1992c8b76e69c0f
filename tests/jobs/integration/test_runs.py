"""A fenced run: who may write about a row, and how a run ends, shown with documents."""

from collections.abc import Callable

import pytest
from django.db import OperationalError

from datasources.models import Datasource, Document, DocumentStatus
from formats import ExtractionError
from jobs.failures import Failure
from jobs.runs import FencedRun, Stopped, claim
from providers.protocols import ProviderError

pytestmark = pytest.mark.django_db


class Review(FencedRun[Document]):
    """A new kind of work needs no more than this."""

    max_attempts = 2
    safe = "Nothing is lost."
    told: list[Failure]

    def announce(self, failure: Failure) -> None:
        self.told = [failure]


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return Document.objects.create(
        datasource=contracts, title="A", filename="a.pdf", mime="application/pdf", size=1, sha256="0" * 64
    )


def begin(document: Document, should_stop: Callable[[], bool] = lambda: False) -> Review:
    claimed = claim(Document.objects.filter(pk=document.pk))
    assert claimed
    return Review(claimed, should_stop)


def raises(error: Exception) -> Callable[[Review], None]:
    def body(run: Review) -> None:
        raise error

    return body


def test_a_row_taken_over_is_written_by_its_newest_run_alone(document: Document) -> None:
    frozen, newest = begin(document), begin(document)
    with pytest.raises(Stopped), frozen.writing():
        Document.objects.update(title="late")
    frozen.fail(Failure(code="late", message="late", hint="late"))
    frozen.forget_attempt()
    assert not frozen.close(status=DocumentStatus.READY)
    document.refresh_from_db()
    assert (document.title, document.status, document.attempts) == ("A", DocumentStatus.QUEUED, 2)
    with newest.writing() as row:
        assert row == document
    assert newest.close(status=DocumentStatus.READY)


@pytest.mark.parametrize("status", [DocumentStatus.READY, DocumentStatus.FAILED, DocumentStatus.CANCELLED])
def test_what_has_ended_is_not_begun_again(document: Document, status: DocumentStatus) -> None:
    Document.objects.update(status=status)
    assert claim(Document.objects.filter(pk=document.pk)) is None
    document.refresh_from_db()
    assert (document.attempts, document.run_token) == (0, None)


def test_a_run_that_is_told_to_stop_writes_nothing_and_does_not_count(document: Document) -> None:
    def body(run: Review) -> None:
        with run.writing():
            Document.objects.update(title="late")

    with pytest.raises(Stopped):
        begin(document, lambda: True).carry_out(body)
    document.refresh_from_db()
    assert (document.title, document.attempts, document.status) == ("A", 0, DocumentStatus.QUEUED)


def test_a_transient_failure_is_raised_until_the_attempts_are_used_up(document: Document) -> None:
    busy = ProviderError("The model server is busy.", transient=True)
    with pytest.raises(ProviderError):
        begin(document).carry_out(raises(busy))
    document.refresh_from_db()
    assert document.is_unfinished
    last = begin(document)
    last.carry_out(raises(busy))
    document.refresh_from_db()
    assert document.status == DocumentStatus.FAILED
    assert (document.error_code, document.error_message) == ("model", "The model server is busy.")
    assert document.error_hint == "Nothing is lost. Try it again later."
    assert [failure.code for failure in last.told] == ["model"]


@pytest.mark.parametrize(
    ("error", "code", "message", "hint"),
    [
        (
            ExtractionError("corrupt", "It is damaged.", "Add a new copy."),
            "corrupt",
            "It is damaged.",
            "Add a new copy.",
        ),
        (
            ProviderError("The key is refused."),
            "model",
            "The key is refused.",
            "Nothing is lost. Try it again once that is fixed.",
        ),
        (
            ValueError("x"),
            "internal",
            "This stopped at a fault in SVQ (ValueError).",
            "Nothing is lost. Try it again; the worker's log has the details.",
        ),
    ],
)
def test_a_definite_failure_is_told_at_once(
    document: Document, error: Exception, code: str, message: str, hint: str
) -> None:
    begin(document).carry_out(raises(error))
    document.refresh_from_db()
    assert (document.status, document.run_token) == (DocumentStatus.FAILED, None)
    assert (document.error_code, document.error_message, document.error_hint) == (code, message, hint)


def test_a_lost_database_is_raised_and_named_after_the_last_attempt(document: Document) -> None:
    with pytest.raises(OperationalError):
        begin(document).carry_out(raises(OperationalError("gone")))
    begin(document).carry_out(raises(OperationalError("gone")))
    document.refresh_from_db()
    assert document.error_code == "storage"


def test_work_that_kills_its_workers_is_given_up(document: Document) -> None:
    for _ in range(2):
        assert not begin(document).gives_up()
    assert begin(document).gives_up()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "gave_up")
    assert document.error_message == "This stopped its worker twice, so it is not tried again."


def test_a_worker_that_was_told_to_stop_or_found_no_server_did_not_die(document: Document) -> None:
    for error in (Stopped(), OperationalError("gone")) * 3:
        Document.objects.update(attempts=0)
        run = begin(document)
        assert not run.gives_up()
        with pytest.raises(type(error)):
            run.carry_out(raises(error))
    document.refresh_from_db()
    assert document.unended == 0


def test_without_memory_a_run_is_tried_once_more_and_then_told_so(document: Document) -> None:
    with pytest.raises(MemoryError):
        begin(document).carry_out(raises(MemoryError()))
    run = begin(document)
    run.carry_out(raises(MemoryError()))
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "memory")
    assert run.told[0].message == "This needed more memory than is allowed and was stopped."
