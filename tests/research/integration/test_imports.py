"""Imports: from numbers to documents that can be asked, through kills, pauses, refusals and deletions."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from datasources.models import NEXT_VERSION, Datasource, Document, DocumentStatus
from desks.research import importing, queue
from desks.research.arxiv_api.bibliography import Listed
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.models import ImportStatus, ItemStatus, Paper, PaperImport, Reference
from desks.research.papers import short_name
from desks.research.references import links
from desks.research.services import cancel, go_on, pause, start_import
from graph.models import Entity, GraphSettings
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import delete_documents, restore_documents
from ingestion.lifecycle.purging import purge
from providers.embedders import embedder
from retrieval.engine.retrieve import retrieve
from retrieval.filter_values import filters_of
from retrieval.query import Query, Scope
from tests.processes import PATIENCE, wait_until
from tests.research.arxiv_server import Arxiv, Held, refuse, say
from tests.research.world import ABSTRACTS, TITLES, arxiv_here, papers

pytestmark = pytest.mark.django_db(transaction=True)

ALL = [ArxivId(number=number) for number in TITLES]


@pytest.fixture
def arxiv(settings: Any, monkeypatch: Any, tmp_path: Path) -> Iterator[Arxiv]:
    with arxiv_here(settings, monkeypatch, tmp_path) as server:
        yield server


def started(datasource: Datasource, person: User, ids: list[Any] = ALL) -> PaperImport:
    return start_import(datasource, person, ids)


def carried_on(row: PaperImport) -> PaperImport:
    importing.carry_on(row.pk)
    row.refresh_from_db()
    return row


def outcomes(row: PaperImport) -> list[str]:
    return list(row.imported_papers.order_by("position").values_list("status", flat=True))


def test_five_papers_become_five_documents(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    row = started(contracts, alice)
    work()
    row.refresh_from_db()
    assert (row.status, row.error_message, outcomes(row)) == (ImportStatus.DONE, "", ["done"] * 5)
    documents = contracts.documents.current()
    assert {document.status for document in documents} == {DocumentStatus.READY}
    assert {document.title for document in documents} == set(TITLES.values())
    assert all(document.mime == "application/pdf" and document.page_count == 2 for document in documents)
    assert Paper.objects.of(contracts).count() == 5
    first = Paper.objects.of(contracts).get(number="2401.00001")
    assert (first.authors, first.categories) == (["Ada Byron", "Carl Gauss", "Emmy Noether"], ["cs.LG"])
    assert first.abstract == ABSTRACTS["2401.00001"]
    assert short_name(first) == "Byron et al. 2020"
    assert len(arxiv.paths("/api/")) == 1, "one request tells of all five"
    assert len(arxiv.paths("/pdf/")) == 5
    assert GraphSettings.objects.get(datasource=contracts).ontology == "research"
    cites = {
        (link.citing.number, link.cited.number): (link.by, link.page)
        for link in links(list(Paper.objects.of(contracts)))
    }
    assert cites["2401.00001", "2401.00005"] == ("number", 2)
    assert cites["2401.00002", "2401.00004"] == ("title", 2)
    assert not any(citing == cited for citing, cited in cites)


def test_the_graph_and_the_search_are_there_before_the_full_texts(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None], monkeypatch: Any
) -> None:
    arxiv.next = [lambda _: False, *[refuse(404)] * 2]  # the abstracts come, no PDF does
    row = started(contracts, alice, [ALL[0], ALL[4]])
    work()
    row.refresh_from_db()
    assert outcomes(row) == ["failed"] * 2
    assert "Its abstract is here." in row.imported_papers.first().message  # type: ignore[union-attr]
    papers_here = list(Paper.objects.of(contracts))
    assert [paper.has_full_text for paper in papers_here] == [False] * 2
    assert Entity.objects.filter(datasource=contracts, name__icontains="LanternSort").exists()
    found = retrieve(
        Query(text="Which benchmark has 900 pictures of lights?"),
        Scope(user_id=alice.pk, datasource_id=contracts.pk),
        embedder(contracts),
    )
    assert found.evidence[0].document_title == TITLES["2401.00005"]
    go_on(row)
    work()
    row.refresh_from_db()
    assert outcomes(row) == ["done"] * 2
    assert contracts.documents.ready().count() == 2
    assert all(paper.has_full_text for paper in Paper.objects.of(contracts))


def test_author_year_and_category_are_filters(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    arxiv.papers[0].authors = ("Ashish Vaswani",)
    arxiv.next = [lambda _: False, *[refuse(404)] * 5]  # abstracts are enough
    started(contracts, alice)
    work()
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)

    def titles(**values: str) -> set[str]:
        result = retrieve(Query(text="lanterns", filters=filters_of(values)), scope, embedder(contracts))
        return {passage.document_title for passage in result.evidence}

    assert titles(author="Vaswani") == {TITLES["2401.00001"]}
    assert titles(author="Ashish Vaswani") == {TITLES["2401.00001"]}
    assert titles(year="2021") == {TITLES["2401.00002"]}
    assert titles(category="cs.IR") == {TITLES["2401.00002"], TITLES["2401.00004"]}
    assert titles(category="cs.IR", year="2021") == {TITLES["2401.00002"]}
    assert titles(author="Gauss", year="2020") == set()


def test_what_is_here_is_not_fetched_again(arxiv: Arxiv, contracts: Datasource, alice: User) -> None:
    carried_on(started(contracts, alice, ALL[:2]))
    before = len(arxiv.paths("/pdf/"))
    row = carried_on(started(contracts, alice, ALL[:3]))
    assert outcomes(row) == ["here", "here", "done"]
    assert len(arxiv.paths("/pdf/")) == before + 1


def test_a_file_that_was_here_already_becomes_the_paper(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    mine = accept_upload(contracts, alice, "mine.pdf", BytesIO(arxiv.papers[0].pdf))[0].document
    row = started(contracts, alice, ALL[:1])
    work()
    assert outcomes(row) == ["done"]
    assert [document.pk for document in contracts.documents.current()] == [mine.pk]
    assert Paper.objects.of(contracts).get().document_id == mine.pk
    mine.refresh_from_db()
    assert mine.title == "mine", "a title that a person knows stays"


def test_a_new_version_is_told_of_and_takes_the_place_of_the_old(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None], tmp_path: Path
) -> None:
    started(contracts, alice, ALL[:1])
    work()
    old = Paper.objects.of(contracts).get()
    arxiv.papers.append(
        Held(number=old.number, version=2, title="LanternSort, revised", pdf=papers(tmp_path)[1].pdf)
    )
    from desks.research.arxiv_api import client
    from desks.research.papers import heard_of

    heard_of(
        alice,
        queue.ask(
            lambda turn: client.by_ids(ALL[:1], turn.keep),
            tried=0,
            waiting=lambda _: None,
            refused=lambda _: None,
        ),
    )
    old.refresh_from_db()
    assert old.has_update
    row = started(contracts, alice, [ArxivId(number=old.number)])
    work()
    assert outcomes(row) == ["done"]
    new = Paper.objects.of(contracts).get()
    assert (new.version, new.title, new.has_update) == (2, "LanternSort, revised", False)
    assert new.document.replaces_id == old.document_id
    assert Document.objects.get(pk=old.document_id).status == DocumentStatus.SUPERSEDED
    started(contracts, alice, [ArxivId(number=old.number, version=1)])
    work()
    assert Paper.objects.of(contracts).get().version == 2, "an older version replaces no newer one"


def test_withdrawn_and_unknown_papers_are_said(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    gone = arxiv.papers[0]
    arxiv.papers.append(
        Held(
            number=gone.number,
            version=2,
            title=gone.title,
            comment="This paper has been withdrawn: Lemma 2 is wrong.",
        )
    )
    row = started(contracts, alice, [ALL[0], ArxivId(number="2401.99999")])
    work()
    assert outcomes(row) == ["withdrawn", "failed"]
    withdrawn, unknown = row.imported_papers.order_by("position")
    assert "Lemma 2 is wrong" in withdrawn.message
    assert withdrawn.try_instead == 1
    assert unknown.message == "arXiv has no paper 2401.99999."
    assert not contracts.documents.exists()
    started(contracts, alice, [ArxivId(number=gone.number, version=1)])
    work()
    assert Paper.objects.of(contracts).get().version == 1


def test_an_import_that_is_killed_goes_on_where_it_was(
    arxiv: Arxiv, contracts: Datasource, alice: User, monkeypatch: Any
) -> None:
    row = started(contracts, alice)
    store, stored = importing._store, []

    def dies_at_the_third(*args: Any) -> None:
        stored.append(args)
        if len(stored) == 3:
            raise KeyboardInterrupt  # as hard as a kill: nothing is tidied up
        store(*args)

    monkeypatch.setattr(importing, "_store", dies_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        importing.carry_on(row.pk)
    assert outcomes(row).count("done") == 2
    carried_on(row)
    assert outcomes(row) == ["done"] * 5
    assert len(arxiv.paths("/pdf/")) == 6, "only the download that was under way is made again"
    assert contracts.documents.count() == 10, "an abstract and a PDF each"
    assert len(arxiv.paths("/api/")) == 1


def test_a_frozen_worker_writes_nothing_after_another_took_over(
    arxiv: Arxiv, contracts: Datasource, alice: User
) -> None:
    row = started(contracts, alice, ALL[:1])
    frozen = importing.begin(row.pk, lambda: False)
    assert frozen is not None
    importing._ask_about(frozen)
    item = row.imported_papers.get()
    carried_on(row)
    before = contracts.documents.count()
    with pytest.raises(importing.Stopped):
        importing._fetch(frozen, item)
    assert contracts.documents.count() == before == 2
    assert outcomes(row) == ["done"]


def test_pause_and_cancel_stop_within_a_moment(
    arxiv: Arxiv, contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.ARXIV_PAUSE = 30
    row = started(contracts, alice)

    def run() -> None:
        from django.db import connection

        with suppress(importing.Stopped):
            importing.carry_on(row.pk)
        connection.close()

    for act, status in ((pause, ImportStatus.PAUSED), (cancel, ImportStatus.STOPPED)):
        queue.ArxivQueue.objects.filter(pk=1).update(free_at=timezone.now())
        thread = threading.Thread(target=run)
        thread.start()
        wait_until(lambda: ItemStatus.DOWNLOADING in outcomes(row), "the download")
        assert act(row)
        thread.join(PATIENCE)
        assert not thread.is_alive()
        row.refresh_from_db()
        assert row.status == status
        assert ItemStatus.DOWNLOADING not in outcomes(row)
        if act is pause:
            go_on(row)
    assert not pause(row)
    assert contracts.documents.current().exclude(NEXT_VERSION).count() == 5, "the abstracts stay"


def test_a_long_wait_leaves_the_worker_to_others(arxiv: Arxiv, contracts: Datasource, alice: User) -> None:
    arxiv.next = [refuse(429, retry_after="600")]
    row = started(contracts, alice, ALL[:1])
    began = time.monotonic()
    importing.carry_on(row.pk, seconds=20)
    assert time.monotonic() - began < 20
    row.refresh_from_db()
    assert row.is_unfinished
    assert row.imported_papers.get().tries == 1
    assert row.job_id


def test_one_refused_paper_costs_only_itself_and_offline_stops_all(
    arxiv: Arxiv, contracts: Datasource, alice: User, settings: Any
) -> None:
    arxiv.next = [lambda _: False, *[refuse(503)] * 3]
    row = carried_on(started(contracts, alice, ALL[:2]))
    assert outcomes(row) == ["failed", "done"]
    settings.ARXIV_PDF_URL = "http://127.0.0.1:9/pdf"
    row = carried_on(started(contracts, alice, ALL[2:4]))
    assert row.status == ImportStatus.FAILED
    assert "cannot be reached from this server" in row.error_message
    with override("fr"):
        assert "ne peut pas être joint depuis ce serveur" in row.why_failed
    settings.ARXIV_PDF_URL = f"{arxiv.url}/pdf"
    go_on(row)
    assert outcomes(carried_on(row)) == ["done", "done"]


def test_html_in_place_of_a_pdf_is_no_document(arxiv: Arxiv, contracts: Datasource, alice: User) -> None:
    arxiv.next = [lambda _: False, say(b"<html>captcha</html>", "application/pdf")]
    row = carried_on(started(contracts, alice, ALL[:1]))
    assert outcomes(row) == ["failed"]
    item = row.imported_papers.get()
    assert item.message == (
        "arXiv has no PDF for 2401.00001v1. It may be there in another version. Its abstract is here."
    )
    with override("de"):
        assert item.why == (
            "arXiv hat kein PDF für 2401.00001v1. Vielleicht gibt es das Paper in einer anderen Version. "
            "Die Zusammenfassung ist hier."
        )


def test_a_deleted_paper_goes_and_comes_back(
    arxiv: Arxiv, contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    row = started(contracts, alice, ALL[:1])
    work()
    paper = Paper.objects.of(contracts).get(number="2401.00001")
    delete_documents(contracts, [paper.pk], alice)
    assert not Paper.objects.of(contracts).filter(number="2401.00001").exists()
    restore_documents(contracts, [paper.pk])
    assert Paper.objects.of(contracts).filter(number="2401.00001").exists()
    assert Reference.objects.filter(document=paper.pk).exists()
    purge(Document.objects.get(pk=paper.pk), alice)
    assert not Paper.objects.filter(number="2401.00001").exists()
    assert not Reference.objects.filter(document=paper.pk).exists()
    assert not row.imported_papers.exists(), "the import forgets it too"


def test_deleting_while_it_is_fetched_is_respected(
    arxiv: Arxiv, contracts: Datasource, alice: User, monkeypatch: Any
) -> None:
    row = started(contracts, alice, ALL[:1])
    download = importing._download

    def deleted_meanwhile(*args: Any) -> None:
        download(*args)
        delete_documents(contracts, [contracts.documents.get().pk], alice)

    monkeypatch.setattr(importing, "_download", deleted_meanwhile)
    assert outcomes(carried_on(row)) == ["failed"]
    assert not contracts.documents.current().exists()


def test_who_lost_the_right_imports_no_more(
    arxiv: Arxiv, contracts: Datasource, alice: User, bob: User
) -> None:
    row = carried_on(started(contracts, bob, ALL[:1]))
    assert (row.status, row.error_code) == (ImportStatus.FAILED, "no_access")
    assert not contracts.documents.exists()


def test_what_is_not_at_arxiv_is_listed(arxiv: Arxiv, contracts: Datasource, alice: User) -> None:
    row = start_import(contracts, alice, [Listed(title="A book", id=None), ALL[0], ALL[0]])
    assert outcomes(carried_on(row)) == ["listed", "done"]
    with pytest.raises(ValidationError):
        start_import(contracts, alice, [Listed(title="A book", id=None)])


def test_the_command_line_searches_and_imports(
    arxiv: Arxiv, contracts: Datasource, alice: User, tmp_path: Path
) -> None:
    out = StringIO()
    call_command("search_papers", "lanterns", user=alice.email, as_json=True, stdout=out)
    told = json.loads(out.getvalue())
    assert told["total"] == 5
    assert told["papers"][0]["title"] == TITLES["2401.00001"]
    bib = tmp_path / "mine.bib"
    bib.write_text("@misc{a, title={One}, eprint={2401.00002}}\n@book{b, title={A book}}")
    out = StringIO()
    call_command(
        "import_papers",
        contracts.name,
        "https://arxiv.org/abs/2401.00001v1",
        str(bib),
        user=alice.email,
        as_json=True,
        stdout=out,
    )
    told = json.loads(out.getvalue())
    assert [(each["number"], each["status"]) for each in told["papers"]] == [
        ("2401.00001", "done"),
        ("2401.00002", "done"),
        ("", "listed"),
    ]
    with pytest.raises(CommandError, match="is not a number of arXiv"):
        call_command("import_papers", contracts.name, "nonsense", user=alice.email)
    with pytest.raises(CommandError, match="1 of 1 could not be imported"):
        call_command("import_papers", contracts.name, "2401.99999", user=alice.email, stdout=StringIO())
