"""Pages of tables, their files and REST."""

import csv
import io
import json
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import docx
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from python_calamine import CalamineWorkbook

from accounts.models import User
from citations.choices import Support
from datasources.models import Datasource
from desks.research.arxiv_api.feed import ArxivPaper
from desks.research.papers import describe
from desks.tables import services
from desks.tables.filling.proof import Found, put
from desks.tables.models import Cell, CellState, Column, ReviewTable, TableStatus
from providers.spending import budgets
from tests.factories import make_document, under_heading
from tests.people import browser_of
from tests.tables.world import LAW, NOTICE, cell_at, documents, table_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(contracts: Datasource, alice: User) -> ReviewTable:
    """With two cells filled and one that all was read for."""
    made = table_of(contracts, alice)
    for title, column, value, quote, start in (
        ("Arden agreement", "Notice", "=sixty days", NOTICE, 0),
        ("Arden agreement", "Law", "Denmark", LAW, len(NOTICE) + 1),
    ):
        cell = cell_at(made, title, column)
        put(cell, Found(value=value, quote=quote, start=start, method="exact"), cell.row.document)
        cell.save()
    blank = cell_at(made, "Brook agreement", "Notice")
    blank.state = CellState.NOT_STATED
    blank.save()
    return made


@pytest.fixture
def client(alice: User) -> Client:
    return browser_of(alice)


def test_the_columns_to_begin_with_are_those_of_most_documents(contracts: Datasource, client: Client) -> None:
    address = reverse("table_new", args=[contracts.pk])
    for title in ("Master Services Agreement", "Amendment No. 1", "Annual Report 2025"):
        make_document(contracts, title)
    assert "Governing law:" in client.get(address).content.decode()
    for n in range(3):
        make_document(contracts, f"Report of quarter {n}")
    assert "Outlook:" in client.get(address).content.decode()


def test_a_table_is_made_in_the_browser_with_columns_to_begin_with(
    contracts: Datasource, client: Client
) -> None:
    arden, _ = documents(contracts)
    address = reverse("table_new", args=[contracts.pk])
    page = client.get(address, {"preset": "contracts"}).content.decode()
    assert "Governing law: Which law governs this agreement?</textarea>" in page
    begun = {"name": "Mine", "columns": "Own: What is mine?", "preset": "reports", "document": [arden.pk]}
    kept = client.post(address, begun).content.decode()
    assert "Own: What is mine?\n" in kept, "what was typed stays, also without JavaScript"
    assert 'value="Mine"' in kept
    assert kept.count(" checked") == 1
    assert "?preset=reports" in page, "a link: what is opened with Back is not sent again"
    told = {"name": "Notice periods", "columns": "Notice: How much notice?\nLaw", "document": [arden.pk]}
    made = client.post(address, told, follow=True).content.decode()
    assert "Notice periods" in made
    assert "1 of 2 documents, 2 cells" in made
    assert "No language model is connected" in made
    refused = client.post(address, told | {"columns": ""})
    assert refused.status_code == 422
    assert refused.content.decode().count(" checked") == 1, "what was unticked stays so"
    assert "needs a column" in refused.content.decode()
    assert "Notice periods" in refused.content.decode(), "what was typed is still there"


def test_the_page_tells_what_each_cell_is(table: ReviewTable, client: Client) -> None:
    page = client.get(reverse("table", args=[table.datasource_id, table.pk])).content.decode()
    assert "2 with a quote" in page
    assert "1 not stated" in page
    assert "1 not read yet" in page
    cell = cell_at(table, "Arden agreement", "Law")
    opened = client.get(reverse("table", args=[table.datasource_id, table.pk]), {"cell": cell.pk})
    assert "Supports the cell" in opened.content.decode()
    assert "Page 1 of 1" in opened.content.decode()


def test_the_source_of_a_cell_says_under_which_headings_of_the_file_it_stands(
    table: ReviewTable, client: Client
) -> None:
    cell = cell_at(table, "Arden agreement", "Law")
    under_heading(cell.row.document, "Final provisions")
    opened = client.get(reverse("table", args=[table.datasource_id, table.pk]), {"cell": cell.pk})
    assert "Page 1 of 1, Final provisions" in opened.content.decode()


def test_rows_are_sorted_by_a_column_and_blanks_stay_below(table: ReviewTable, client: Client) -> None:
    other = cell_at(table, "Brook agreement", "Law")
    put(other, Found(value="the laws", quote=LAW, start=27, method="exact"), other.row.document)
    other.save()

    def titles(**query: int) -> list[str]:
        page = client.get(reverse("table", args=[table.datasource_id, table.pk]), query).content.decode()
        return sorted(("Arden agreement", "Brook agreement"), key=lambda title: page.index(f">{title}</a>"))

    law = other.column_id
    assert titles(sort=law)[0] == "Arden agreement"
    assert titles(sort=law, down=1)[0] == "Brook agreement"
    notice = cell_at(table, "Brook agreement", "Notice").column_id
    assert titles(sort=notice)[1] == titles(sort=notice, down=1)[1] == "Brook agreement"


@pytest.fixture
def candidate(table: ReviewTable) -> Cell:
    """A cell with a sentence that was found without a model."""
    cell = cell_at(table, "Brook agreement", "Law")
    put(cell, Found(value="", quote=LAW, start=27, method="exact"), cell.row.document)
    cell.save()
    return cell


def test_a_sentence_that_nobody_has_checked_does_not_look_like_an_answer(
    table: ReviewTable, candidate: Cell, client: Client
) -> None:
    page = client.get(reverse("table", args=[table.datasource_id, table.pk])).content.decode()
    assert "3 with a quote</b>, 1 of them found by their words and not checked" in page
    shown = re.search(rf'id="cell-{candidate.pk}".*?</td>', page, re.DOTALL)
    assert shown
    assert f"{LAW.partition('the laws')[0]}<b>the laws of Denmark</b>." in shown[0]
    assert "found, not checked" in shown[0]
    assert "data-candidate" in shown[0]
    answered = re.search(rf'id="cell-{cell_at(table, "Arden agreement", "Law").pk}".*?</td>', page, re.DOTALL)
    assert answered
    assert "not checked" not in answered[0]
    assert "data-candidate" not in answered[0]


def test_a_cell_begins_at_the_sentence_with_what_is_asked_for(
    table: ReviewTable, candidate: Cell, client: Client
) -> None:
    Column.objects.filter(pk=candidate.column_id).update(question="How is liability limited?")
    limit = "The total liability of either party in each contract year shall not exceed 500,000 pounds."
    Cell.objects.filter(pk=candidate.pk).update(quote=limit)
    address = reverse("table", args=[table.datasource_id, table.pk])

    def shown() -> str:
        found = re.search(rf'id="said-{candidate.pk}">(.*?)</span>', client.get(address).content.decode())
        assert found
        return found[1]

    assert shown() == limit, "“shall not” is never cut off"
    Cell.objects.filter(pk=candidate.pk).update(quote=f"Nothing limits liability for fraud. {limit}")
    assert shown() == f"… {limit}"


def test_a_sentence_that_nobody_has_checked_is_taken_along_only_when_asked_for(
    table: ReviewTable, candidate: Cell, client: Client
) -> None:
    address = reverse("table_export", args=[table.datasource_id, table.pk, "csv"])

    def laws(**asked: str) -> list[tuple[str, str, str]]:
        rows = csv.DictReader(io.StringIO(client.get(address, asked).content.decode("utf-8-sig")))
        return [(row["Law"], row["Law: quote"], row["Law: verdict"]) for row in rows]

    assert laws() == [("Denmark", LAW, "supports the cell"), ("", "", "")]
    assert laws(candidates="1")[1] == (LAW, LAW, "found by its words, not checked")
    told = json.loads(client.get(address.replace("csv", "json")).content)
    left_out = told["rows"][1]["cells"][1]
    assert (left_out["state"], left_out["quote"], told["counts"]["not_found"]) == ("not_checked", "", 0)
    assert told["counts"]["candidates"] == 1
    page = client.get(reverse("table", args=[table.datasource_id, table.pk])).content.decode()
    assert "leave out the 1 cell found by its words, which nobody has checked" in page
    candidate.refresh_from_db()
    assert candidate.quote == LAW, "an export changes nothing"


def test_a_table_is_taken_away_with_its_proofs(table: ReviewTable, client: Client) -> None:
    def file(form: str) -> bytes:
        response = client.get(reverse("table_export", args=[table.datasource_id, table.pk, form]))
        assert response["Content-Disposition"].startswith("attachment")
        return response.content

    first, second = csv.DictReader(io.StringIO(file("csv").decode("utf-8-sig")))
    assert first["Notice"] == "'=sixty days", "no formula"
    assert (first["Law"], first["Law: quote"], first["Law: page"]) == ("Denmark", LAW, "1")
    assert first["Law: verdict"] == "supports the cell"
    assert (second["Notice"], second["Law"]) == ("not stated", "")
    book = CalamineWorkbook.from_filelike(io.BytesIO(file("xlsx")))
    grid = book.get_sheet_by_name("Table").to_python()
    assert grid[1][:3] == ["Arden agreement", "=sixty days [1]", "Denmark [2]"]
    assert LAW in book.get_sheet_by_name("Sources").to_python()[2]
    word = docx.Document(io.BytesIO(file("word")))
    assert [cell.text for cell in word.tables[0].rows[1].cells] == [
        "Arden agreement",
        "=sixty days [1]",
        "Denmark [2]",
    ]
    assert LAW in word.paragraphs[-1].text
    latex = file("latex").decode()
    assert r"\begin{longtable}" in latex
    assert "Denmark~[2]" in latex
    told = json.loads(file("json"))
    assert told["rows"][0]["cells"][1]["quote"] == LAW
    assert client.get(reverse("table_export", args=[table.datasource_id, table.pk, "exe"])).status_code == 404


def test_viewers_look_and_change_nothing(table: ReviewTable, bob: User, charlie: User) -> None:
    address = reverse("table", args=[table.datasource_id, table.pk])
    page = browser_of(bob).get(address).content.decode()
    assert "Denmark" in page
    assert "Add documents" not in page
    change = reverse("table_change", args=[table.datasource_id, table.pk])
    assert browser_of(bob).post(change, {"action": "delete"}).status_code == 403
    assert browser_of(charlie).get(address).status_code == 404
    assert ReviewTable.objects.filter(pk=table.pk).exists()


def test_a_limit_that_is_no_number_starts_nothing(table: ReviewTable, client: Client) -> None:
    change = reverse("table_change", args=[table.datasource_id, table.pk])
    for text in ("0", "50k", "1.5", "-3", "1_0", "1e5"):
        page = client.post(change, {"action": "fill", "token_budget": text}, follow=True).content.decode()
        assert "The limit must be a number" in page
    table.refresh_from_db()
    assert not table.is_unfinished
    client.post(change, {"action": "fill", "token_budget": "50,000"})
    table.refresh_from_db()
    assert table.is_unfinished
    assert table.token_budget == 50_000
    services.stop(table)
    client.post(change, {"action": "fill", "token_budget": "١٠٠"})
    table.refresh_from_db()
    assert table.token_budget == 100


def test_a_limit_of_money_is_offered_where_prices_are_known_and_stays_after_a_stop(
    table: ReviewTable, client: Client, settings: Any
) -> None:
    change, page = (reverse(name, args=[table.datasource_id, table.pk]) for name in ("table_change", "table"))
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "scripted"
    assert 'name="money_budget"' not in client.get(page).content.decode()
    refused = client.post(change, {"action": "fill", "money_budget": "2.50"}, follow=True).content.decode()
    assert "A budget of money needs the model" in refused
    settings.LLM_PRICE_INPUT = Decimal(1)
    fill = reverse("api-table-fill", args=[table.pk])
    for text in ("a lot", "0", "1_0", "1e1"):
        told = client.post(change, {"action": "fill", "money_budget": text}, follow=True).content.decode()
        assert "The limit must be a number" in told
        assert client.post(fill, {"money_budget": text}, content_type="application/json").status_code == 400
    client.post(change, {"action": "fill", "money_budget": "2.50"})
    client.post(change, {"action": "stop"})
    table.refresh_from_db()
    assert (table.status, table.money_budget) == (TableStatus.STOPPED, Decimal("2.5"))
    assert 'name="money_budget" inputmode="decimal" value="2.5"' in client.get(page).content.decode()


def test_a_limit_that_is_used_up_is_shown_and_a_filling_needs_another(
    table: ReviewTable, client: Client, settings: Any
) -> None:
    change, page = (reverse(name, args=[table.datasource_id, table.pk]) for name in ("table_change", "table"))
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "scripted"
    left = {"token_budget": "0", "money_budget": ""}
    for status, tokens in (
        (TableStatus.STOPPED, 1_300),
        (TableStatus.FAILED, 1_200),
        (TableStatus.HELD, 900),
    ):
        table.write(status=status, tokens=tokens, token_budget=1_200)
        shown = client.get(page).content.decode()
        assert "The limit is reached." in shown
        left["token_budget"] = str(max(0, 1_200 - tokens))
        assert f'name="token_budget" inputmode="numeric" value="{left["token_budget"]}"' in shown
        for untouched in (left, {}):
            told = client.post(change, {"action": "fill"} | untouched, follow=True).content.decode()
            assert "with another limit" in told
            table.refresh_from_db()
            assert (table.status, table.token_budget) == (status, 1_200)
    client.post(change, {"action": "fill"} | left | {"token_budget": "500"})
    table.refresh_from_db()
    assert (table.is_unfinished, table.token_budget) == (True, 1_400)


def test_a_limit_of_money_is_not_lost_with_the_prices_or_with_another_limit(
    table: ReviewTable, client: Client, settings: Any
) -> None:
    change, page = (reverse(name, args=[table.datasource_id, table.pk]) for name in ("table_change", "table"))
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "scripted"
    table.write(status=TableStatus.STOPPED, money=Decimal("0.50000001"), money_budget=Decimal(2))
    assert 'name="money_budget" inputmode="decimal" value="1.499999"' in client.get(page).content.decode()
    for fields in ({}, {"token_budget": "", "money_budget": "1.499999"}):
        told = client.post(change, {"action": "fill"} | fields, follow=True).content.decode()
        assert "A budget of money needs the model" in told
    settings.LLM_PRICE_INPUT = Decimal(1)
    client.post(change, {"action": "fill", "token_budget": "700", "money_budget": "1.499999"})
    table.refresh_from_db()
    assert (table.is_unfinished, table.token_budget) == (True, 700)
    assert table.money_budget is not None
    assert Decimal("1.99999") < table.money_budget <= 2


def test_reading_one_cell_again_does_not_fill_the_others(table: ReviewTable, client: Client) -> None:
    cell, waiting = cell_at(table, "Arden agreement", "Law"), cell_at(table, "Brook agreement", "Law")
    change = reverse("table_change", args=[table.datasource_id, table.pk])
    told = client.post(change, {"action": "read_again", "number": cell.pk}, follow=True).content.decode()
    assert "is read when you fill the rest" in told
    table.refresh_from_db()
    assert not table.is_unfinished
    type(waiting).objects.filter(row__table=table).update(state=CellState.NOT_STATED)
    client.post(change, {"action": "read_again", "number": cell.pk})
    table.refresh_from_db()
    assert table.is_unfinished


def test_no_document_is_chosen(table: ReviewTable, client: Client) -> None:
    refused = client.post(reverse("table_documents", args=[table.datasource_id, table.pk]))
    assert refused.status_code == 422
    assert "Choose at least one document" in refused.content.decode()


def test_a_cell_of_another_table_is_not_opened_here(table: ReviewTable, client: Client) -> None:
    cell = cell_at(table, "Arden agreement", "Law")
    other = ReviewTable.objects.create(datasource=table.datasource, name="Other")
    page = client.get(reverse("table", args=[table.datasource_id, other.pk]), {"cell": cell.pk})
    assert "Denmark" not in page.content.decode()


def test_rest_makes_fills_and_tells_a_table(contracts: Datasource, client: Client, work: object) -> None:
    arden, _ = documents(contracts)
    told = {
        "name": "By REST",
        "columns": [{"name": "Law", "question": "Which law governs this agreement?"}],
        "documents": [arden.pk],
    }
    made = client.post(f"/api/v1/data-sources/{contracts.pk}/tables", told, "application/json")
    assert made.status_code == 201, made.content
    pk = made.json()["id"]
    assert client.post(f"/api/v1/tables/{pk}/fill", {}, "application/json").status_code == 202
    work()  # type: ignore[operator]
    table = client.get(f"/api/v1/tables/{pk}").json()
    assert table["status"] == "done"
    assert table["rows"][0]["cells"][0]["quote"] in LAW
    assert client.delete(f"/api/v1/tables/{pk}").status_code == 204
    assert client.get(f"/api/v1/tables/{pk}").status_code == 404


def test_a_table_that_changes_is_the_first_of_the_list(table: ReviewTable, client: Client) -> None:
    other = ReviewTable.objects.create(datasource=table.datasource, name="Made later")
    address = reverse("tables", args=[table.datasource_id])
    assert client.get(address).context["listed"][0].table == other
    change = reverse("table_change", args=[table.datasource_id, table.pk])
    client.post(change, {"action": "add_columns", "columns": "Fee: What is the fee?"})
    assert client.get(address).context["listed"][0].table == table


def test_the_list_counts_what_pages_show_with_as_few_statements_for_many_tables_as_for_one(
    table: ReviewTable, client: Client
) -> None:
    address = reverse("tables", args=[table.datasource_id])
    with CaptureQueriesContext(connection) as of_one:
        assert "2 of 4" in client.get(address).content.decode()
    services.remove_column(table, table.asked_columns.get(name="Law").pk)
    chosen = list(table.listed_rows.values_list("document", flat=True))
    for name in ("Second", "Third"):
        columns = services.columns_from("Notice")
        services.create_table(table.datasource.owner, table.datasource, name, columns, chosen)
    with CaptureQueriesContext(connection) as of_three:
        page = client.get(address).content.decode()
    assert "1 of 2" in page, "a removed column is not counted"
    assert page.count("0 of 2") == 2
    assert len(of_three) == len(of_one)


def test_a_column_is_not_dropped_without_a_word(table: ReviewTable, client: Client) -> None:
    change = reverse("table_change", args=[table.datasource_id, table.pk])
    asked = {"action": "add_columns", "columns": "law: Which courts decide?\nFee"}
    assert "two columns called “law”" in client.post(change, asked, follow=True).content.decode()
    assert table.asked_columns.count() == 2
    told = {"name": "Fees", "columns": "Fee: How much?\nFee: When?", "document": [1]}
    refused = client.post(reverse("table_new", args=[table.datasource_id]), told)
    assert "two columns called “Fee”" in refused.content.decode()


def test_an_address_beyond_the_last_page_shows_the_last_one(
    table: ReviewTable, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desks.tables.grid.ROWS", 1)
    address = reverse("table", args=[table.datasource_id, table.pk])
    page = client.get(address, {"page": 99}).content.decode()
    assert "2 of 2</span>" in page
    assert "?page=1" in page
    assert "?page=98" not in page


def test_reading_again_says_what_it_replaces(table: ReviewTable, client: Client) -> None:
    address = reverse("table", args=[table.datasource_id, table.pk])
    assert "found without a model" not in client.get(address).content.decode()
    cell = cell_at(table, "Arden agreement", "Law")
    cell.value = ""
    cell.save()
    assert "Read the blanks again, and what was found without a model" in client.get(address).content.decode()


def test_a_removed_column_and_row_come_back_with_their_cells(
    table: ReviewTable, client: Client, alice: User
) -> None:
    law = cell_at(table, "Arden agreement", "Law")
    change = reverse("table_change", args=[table.datasource_id, table.pk])

    def posted(action: str, number: int) -> str:
        return client.post(change, {"action": action, "number": number}, follow=True).content.decode()

    without = posted("remove_column", law.column_id)
    assert "Denmark" not in without
    assert "Undo: bring it back with 1 quote" in without
    assert (
        "Denmark"
        not in client.get(
            reverse("table_export", args=[table.datasource_id, table.pk, "csv"])
        ).content.decode()
    )
    services.fill(alice, table, queued=False)
    assert cell_at(table, "Brook agreement", "Law").state == CellState.WAITING, "it is not asked about"
    back = posted("bring_back_column", law.column_id)
    assert "Denmark" in back
    assert "Undo: bring" not in back
    assert "Arden agreement</a>" not in posted("remove_row", law.row_id)
    assert "Denmark" in posted("bring_back_row", law.row_id)


def test_adding_what_was_removed_brings_it_back(table: ReviewTable, client: Client) -> None:
    law = cell_at(table, "Arden agreement", "Law")
    services.remove_column(table, law.column_id)
    services.add_columns(table, services.columns_from(f"Law: {law.column.question}"))
    services.remove_row(table, law.row_id)
    address = reverse("table_documents", args=[table.datasource_id, table.pk])
    assert "Arden agreement" in client.get(address).content.decode(), "it can be chosen again"
    client.post(address, {"document": [law.row.document_id]})
    assert cell_at(table, "Arden agreement", "Law").value == "Denmark"


def test_a_removed_column_is_gone_after_a_day(table: ReviewTable, client: Client) -> None:
    law, notice = table.asked_columns.get(name="Law"), table.asked_columns.get(name="Notice")
    services.add_columns(table, services.columns_from("Fee: When is the fee payable?"))
    services.remove_column(table, law.pk)
    table.asked_columns.filter(pk=law.pk).update(removed=timezone.now() - timedelta(days=1, minutes=1))
    page = client.get(reverse("table", args=[table.datasource_id, table.pk])).content.decode()
    assert "Undo: bring it back" not in page
    services.remove_column(table, notice.pk)
    assert not table.asked_columns.filter(pk=law.pk).exists()
    assert table.asked_columns.filter(pk=notice.pk).exists()


def test_the_papers_of_a_table_are_taken_away_as_bibtex(table: ReviewTable, client: Client) -> None:
    address = reverse("table", args=[table.datasource_id, table.pk])
    assert "BibTeX" not in client.get(address).content.decode(), "it has no papers yet"
    paper = ArxivPaper(
        number="2401.00001",
        version=1,
        title="Arden",
        authors=("Ada Byron",),
        published="2024-01-01T00:00:00+00:00",
        updated="2024-01-01T00:00:00+00:00",
    )
    arden = cell_at(table, "Arden agreement", "Law").row.document
    describe(arden, paper, has_full_text=True)
    page = client.get(address).content.decode()
    assert "Byron 2024, 1 page" in page
    link = re.search(r'href="([^"]*/export/bib/[^"]*)"', page)
    assert link is not None
    assert "author = {Ada Byron}" in client.get(link[1]).content.decode()
    services.remove_row(table, cell_at(table, "Arden", "Law").row_id)
    assert "BibTeX" not in client.get(address).content.decode()


def test_a_number_shows_that_its_cell_needs_an_eye(table: ReviewTable, client: Client) -> None:
    address = reverse("table", args=[table.datasource_id, table.pk])
    cell = cell_at(table, "Arden agreement", "Law")
    for support, css, words in (
        (Support.NEEDS_EYE, "chip unv", "needs your eye"),
        (Support.CONTRADICTED, "chip bad", "contradicts"),
    ):
        type(cell).objects.filter(pk=cell.pk).update(support=support)
        page = client.get(address).content.decode()
        assert css in page, "the look that these numbers have in answers and in gap analysis"
        assert f"Law, {words}" in page


def test_a_budget_that_is_used_up_is_not_told_as_a_missing_model(
    table: ReviewTable, client: Client, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "a-model"
    address = reverse("table", args=[table.datasource_id, table.pk])
    assert "a-model reads" in client.get(address).content.decode()
    budgets.set_budget(table.datasource_id, tokens=0, money=None)
    page = " ".join(client.get(address).content.decode().split())
    assert "No language model is connected" not in page
    assert "has used up its month's budget" in page.replace("&#x27;", "'")
    assert "Until then each cell gets the sentence that stands out" in page
