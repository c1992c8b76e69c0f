"""The pages and REST of papers as people use them, without JavaScript too; strangers find nothing."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat.exports import as_json, as_markdown
from chat.models import Citation
from chat.services import ask
from datasources.models import Datasource
from datasources.services import create_datasource
from desks.research import importing, searching
from desks.research.models import ImportStatus, Paper, PaperImport, PaperSearch
from desks.research.papers import describe
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.research.arxiv_server import Arxiv, refuse
from tests.research.world import TITLES, arxiv_here

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/papers/import/"


@pytest.fixture
def arxiv(settings: Any, monkeypatch: Any, tmp_path: Path) -> Iterator[Arxiv]:
    with arxiv_here(settings, monkeypatch, tmp_path) as server:
        yield server


def page(client: Client, address: str = PAGE, **values: Any) -> str:
    return client.get(address, values).content.decode()


def searched(person: User, **values: Any) -> str:
    """The results, once the job has asked."""
    client = browser_of(person)
    waiting = page(client, **values)
    assert "Asking arXiv" in waiting
    assert '<meta http-equiv="refresh"' in waiting
    searching.carry_on(str(PaperSearch.objects.latest("created").pk))
    return page(client, **values)


def test_a_search_shows_papers_and_what_is_here(arxiv: Arxiv, contracts: Datasource, alice: User) -> None:
    here = make_document(contracts, "Here")
    shown = searched(alice, words="lanterns", into=contracts.pk)
    assert "5 papers, 1 to 5 shown" in shown
    assert "About" not in shown, "all of them came"
    for title in TITLES.values():
        assert title in shown
    assert "Byron, Gauss, Noether" in shown
    assert "style=" not in shown
    told = PaperSearch.objects.latest("created").papers
    describe(here, told[0], has_full_text=True)
    shown = page(browser_of(alice), words="lanterns", into=contracts.pk)
    assert "1 already here" in shown
    assert shown.count('name="paper"') == 4
    assert len(arxiv.paths()) == 1, "going back asks nobody"


def test_results_are_paged(arxiv: Arxiv, alice: User, monkeypatch: Any) -> None:
    from desks.research.arxiv_api import client, query
    from desks.research.web import import_views

    for module in (client, query, import_views):
        monkeypatch.setattr(module, "PAGE", 2)
    shown = searched(alice, words="lanterns")
    assert "start=2" in shown
    assert "About 5 papers" in shown, "arXiv's own figure"
    shown = searched(alice, words="lanterns", start=2)
    assert TITLES["2401.00003"] in shown
    assert TITLES["2401.00001"] not in shown
    assert "start=4" in shown


def test_what_goes_wrong_is_said(arxiv: Arxiv, alice: User, settings: Any) -> None:
    client = browser_of(alice)
    assert "is not a date" in page(client, words="x", since="soon")
    arxiv.next = [refuse(503)] * 3
    assert "arXiv asked SVQ to wait (status 503). SVQ asked 3 times." in searched(alice, words="lanterns")
    client.get(PAGE, {"words": "lanterns", "again": "1"})
    assert "Asking arXiv" in page(client, words="lanterns")
    settings.ARXIV_API_URL = "http://127.0.0.1:9/"
    assert "cannot be reached from this server" in searched(alice, words="wicks")
    settings.ARXIV = False
    assert "switched off here" in page(client, words="lights")


def test_papers_are_imported_into_a_new_and_an_old_datasource(
    arxiv: Arxiv, contracts: Datasource, alice: User
) -> None:
    client = browser_of(alice)
    address = reverse("import_start")
    made = client.post(address, {"paper": ["2401.00001", "2401.00002"], "into": "", "name": "Lanterns"})
    new = Datasource.objects.get(name="Lanterns")
    assert made.headers["Location"] == f"{PAGE}?into={new.pk}"
    assert page(client, into=new.pk).count("2401.0000") >= 2
    importing.carry_on(new.paper_imports.get().pk)
    shown = page(client, into=new.pk)
    assert "2 of 2 done" in shown
    assert "now indexing" in shown
    bib = SimpleUploadedFile("x.bib", b"@misc{a, title={One}, eprint={2401.00003}} @book{b, title={A book}}")
    client.post(address, {"pasted": "2401.00004, arXiv:2401.00005v1", "bib": bib, "into": contracts.pk})
    row = contracts.paper_imports.get()
    assert [item.number for item in row.imported_papers.all()] == [
        "2401.00004",
        "2401.00005",
        "2401.00003",
        "",
    ]
    client.post(reverse("import_change", args=[row.pk]), {"action": "pause"})
    row.refresh_from_db()
    assert row.status == ImportStatus.PAUSED
    assert "Paused." in page(client, into=contracts.pk)
    client.post(reverse("import_change", args=[row.pk]), {"action": "cancel"})
    row.refresh_from_db()
    assert row.status == ImportStatus.STOPPED
    for refused in ({}, {"pasted": "graph retrieval"}, {"paper": ["../../etc"]}):
        client.post(address, {**refused, "into": contracts.pk})
    assert contracts.paper_imports.count() == 1


def test_no_datasource_is_made_for_papers_that_are_refused(arxiv: Arxiv, alice: User) -> None:
    book = SimpleUploadedFile("mine.bib", b"@book{a, title={On Liberty}, author={Mill, John}, year={1859}}")
    told = {"into": "", "name": "Philosophy", "bib": book}
    page = browser_of(alice).post(reverse("import_start"), told, follow=True).content.decode()
    assert "None of these is a paper at arXiv. Nothing was imported." in page
    assert not Datasource.objects.filter(name="Philosophy").exists()


def test_what_was_filled_in_stays_when_an_import_is_refused(arxiv: Arxiv, alice: User) -> None:
    searched(alice, words="lanterns")
    told = {"into": "", "name": "", "pasted": "1706.03762 2405.14831v1", "paper": "2401.00002"}
    file = SimpleUploadedFile("x.bib", b"@misc{a, title={One}, eprint={2401.00003}}")
    refused = browser_of(alice).post(reverse("import_start"), {**told, "this": "words=lanterns", "bib": file})
    shown = refused.content.decode()
    assert refused.status_code == 422
    assert "1706.03762 2405.14831v1</textarea>" in shown
    assert re.search(r'value="2401.00002" id="p-\d" checked', shown)
    assert shown.count(" checked") == 1
    assert "Choose the .bib file again." in shown
    assert TITLES["2401.00001"] in shown, "the results are still there"
    assert not PaperImport.objects.exists()


def test_a_search_tells_the_papers_that_are_here_of_newer_versions(
    arxiv: Arxiv, contracts: Datasource, alice: User, charlie: User
) -> None:
    strangers = create_datasource(charlie, "Lamps")
    searched(alice, words="lanterns")
    old = PaperSearch.objects.latest("created").papers[0]
    for place in (contracts, strangers):
        describe(make_document(place, "Here"), old, has_full_text=True)
    arxiv.papers[0].version = 3
    searched(alice, words="more lanterns")
    assert "v3 is out" in page(browser_of(alice), reverse("papers", args=[contracts.pk]))
    assert Paper.objects.get(document__datasource=strangers).newest == old.version


def test_another_persons_papers_do_not_exist(
    arxiv: Arxiv, contracts: Datasource, alice: User, bob: User, charlie: User
) -> None:
    browser_of(alice).post(reverse("import_start"), {"paper": "2401.00001", "into": contracts.pk})
    row = PaperImport.objects.get()
    stranger, viewer = browser_of(charlie), browser_of(bob)
    for address in (
        f"{PAGE}?into={contracts.pk}",
        reverse("papers", args=[contracts.pk]),
        f"/api/v1/paper-imports/{row.pk}",
    ):
        assert stranger.get(address).status_code == 404
    assert stranger.post(reverse("import_change", args=[row.pk]), {"action": "cancel"}).status_code == 404
    assert (
        stranger.post(reverse("import_start"), {"paper": "2401.00002", "into": contracts.pk}).status_code
        == 404
    )
    assert (
        viewer.post(reverse("import_start"), {"paper": "2401.00002", "into": contracts.pk}).status_code == 403
    )
    assert viewer.post(reverse("import_change", args=[row.pk]), {"action": "cancel"}).status_code == 403
    assert "LanternSort" not in page(stranger)
    row.refresh_from_db()
    assert row.is_unfinished


@pytest.fixture
def cited(arxiv: Arxiv, contracts: Datasource, alice: User) -> Citation:
    """A paper that an answer cites."""
    searched(alice, words="lanterns")
    document = make_document(contracts, "A paper")
    describe(document, PaperSearch.objects.get().papers[0], has_full_text=True)
    return make_turn(alice, document).citations.get()


def test_an_answer_cites_a_paper_as_researchers_do(
    cited: Citation, contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    turn = ask(alice, contracts, "How long are backups kept?")
    work()
    turn.refresh_from_db()
    assert as_json(turn)["citations"][0]["cited_as"] == "Byron et al. 2020"
    assert "Byron et al. 2020, page 1" in as_markdown(turn)
    page = reverse("conversation", args=[contracts.pk, turn.conversation_id])
    assert "Sources as BibTeX" in browser_of(alice).get(page).content.decode()


def test_no_bibliography_is_offered_of_what_is_no_paper(contracts: Datasource, alice: User) -> None:
    turn = make_turn(alice, make_document(contracts))
    page = reverse("conversation", args=[contracts.pk, turn.conversation_id])
    assert "Sources as BibTeX" not in browser_of(alice).get(page).content.decode()


def test_an_answer_is_exported_with_what_it_cites(cited: Citation, alice: User, bob: User) -> None:
    client = browser_of(alice)
    bib = client.get(reverse("export_cited", args=[cited.turn_id, "bib"]))
    assert "@misc{byron2020lanternsort," in bib.content.decode()
    assert bib.headers["Content-Disposition"].endswith('.bib"')
    ris = client.get(f"/api/v1/turns/{cited.turn_id}/bibliography/ris").content.decode()
    assert "AU  - Byron, Ada\r\n" in ris
    assert browser_of(bob).get(reverse("export_cited", args=[cited.turn_id, "bib"])).status_code == 404
    assert client.get(reverse("export_cited", args=[cited.turn_id, "docx"])).status_code == 404


def test_the_papers_of_a_datasource_are_narrowed_and_updated(
    cited: Citation, contracts: Datasource, alice: User, bob: User
) -> None:
    client, address = browser_of(alice), reverse("papers", args=[contracts.pk])
    shown = page(client, address)
    assert "Byron et al. 2020" in shown
    assert 'name="documents"' in shown
    for values, found in (
        ({"author": "byron"}, True),
        ({"year": "2019"}, False),
        ({"category": "cs.LG"}, True),
        ({"q": "\0"}, False),
    ):
        assert (TITLES["2401.00001"] in page(client, address, **values)) is found
    Paper.objects.update(newest=2)
    assert "v2 is out" in page(client, address)
    assert "Update 1 paper" in page(client, address)
    assert "Update 1 paper" not in page(browser_of(bob), address)
    client.post(reverse("papers_update", args=[contracts.pk]), {"document": cited.document_id})
    assert contracts.paper_imports.get().imported_papers.get().number == "2401.00001"
    assert "eprint = {2401.00001v1}" in page(client, reverse("papers_export", args=[contracts.pk, "bib"]))


def test_rest_searches_and_imports(arxiv: Arxiv, contracts: Datasource, alice: User, bob: User) -> None:
    client = browser_of(alice)

    def post(address: str, body: dict[str, Any]) -> Any:
        return client.post(f"/api/v1/{address}", body, content_type="application/json")

    asked = post("paper-searches", {"words": "lanterns"})
    assert (asked.status_code, asked.json()["status"]) == (202, "queued")
    searching.carry_on(asked.json()["id"])
    told = client.get(f"/api/v1/paper-searches/{asked.json()['id']}").json()
    assert (told["status"], told["total"], told["papers"][0]["title"]) == ("done", 5, TITLES["2401.00001"])
    assert browser_of(bob).get(f"/api/v1/paper-searches/{asked.json()['id']}").status_code == 404
    assert post("paper-searches", {"words": "lanterns"}).status_code == 200
    assert post("paper-searches", {}).status_code == 400
    imports = f"data-sources/{contracts.pk}/paper-imports"
    made = post(imports, {"papers": ["arXiv:2401.00001"], "bib": "@misc{a, eprint={2401.00002}}"})
    assert made.status_code == 201
    assert [item["number"] for item in made.json()["items"]] == ["2401.00001", "2401.00002"]
    pk = made.json()["id"]
    assert post(f"paper-imports/{pk}/pause", {}).json()["status"] == "paused"
    assert post(f"paper-imports/{pk}/resume", {}).json()["status"] == "queued"
    importing.carry_on(pk)
    assert {item["status"] for item in client.get(f"/api/v1/paper-imports/{pk}").json()["items"]} == {"done"}
    assert post(imports, {"papers": ["nonsense"]}).status_code == 400
    assert post(imports, {}).status_code == 400
