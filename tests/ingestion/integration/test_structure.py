"""Headings and tables of documents of each kind, from their upload to the pages that show them."""

import io
import json
from typing import Any

import pytest
from django.urls import reverse
from docx import Document as Word
from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate
from reportlab.platypus import Table as FlowableTable

from accounts.models import User
from datasources.models import Chunking, Datasource, Document, DocumentStatus
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge
from ingestion.lifecycle.rechunking import rechunk
from ingestion.models import Section, Table, TableRow
from retrieval.evidence import evidence_of
from retrieval.tables import markdown, with_tables
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

MARKDOWN = b"""# Handbook
This is the handbook of the company, which says what its plans cost and how they end. Everybody may read it.
It was written in spring.

## Fees
The fees of the plans are these:

| Plan | Monthly fee | Yearly fee |
| --- | --- | --- |
| Small | 12 EUR | 120 EUR |
| Large | 34 EUR | 340 EUR |

## Notice
Thirty days.
"""


def read(datasource: Datasource, user: User, work: Any, name: str, content: bytes) -> Document:
    document = accept_upload(datasource, user, name, io.BytesIO(content))[0].document
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    return document


def test_headings_and_rows_of_a_file_are_known(contracts: Datasource, alice: User, work: Any) -> None:
    document = read(contracts, alice, work, "handbook.md", MARKDOWN)
    assert list(document.sections.values_list("level", "path", "page")) == [
        (1, "Handbook", 1),
        (2, "Handbook › Fees", 1),
        (2, "Handbook › Notice", 1),
    ]
    table = document.tables.get()
    assert table.heads == ["Plan", "Monthly fee", "Yearly fee"]
    chunk = document.chunks.get()
    (passage,) = with_tables([evidence_of(chunk, 1.0)])
    assert "| Large | 34 EUR | 340 EUR |" in markdown(passage, passage.text)
    row = table.table_rows.order_by("start").last()
    assert row is not None
    assert document.pages.get().text[row.start : row.end] == "Large\t34 EUR\t340 EUR"


def test_the_reader_the_chunk_page_and_the_search_show_them(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work, "handbook.md", MARKDOWN)
    chunk = document.chunks.get()
    browser = browser_of(alice)
    outline = text_of(browser.get(reverse("reader", args=[contracts.pk, document.pk])))
    assert "Outline" in outline
    assert "Fees" in outline
    opened = text_of(browser.get(f"{reverse('chunks', args=[contracts.pk])}?chunk={chunk.pk}"))
    assert "Section Handbook" in opened
    assert "Plan Monthly fee Yearly fee" in opened
    found = text_of(browser.get(f"{reverse('search', args=[contracts.pk])}?q=yearly+fee+of+the+large+plan"))
    assert "Handbook" in found


def test_a_sheet_of_many_pages_is_one_table_under_its_heads(
    contracts: Datasource, alice: User, work: Any
) -> None:
    rows = "\n".join(f"Item {number},{number * 7},{number * 11}" for number in range(1, 200))
    document = read(contracts, alice, work, "prices.csv", f"Name,Cost,Price\n{rows}\n".encode())
    assert document.page_count is not None
    assert document.page_count > 2
    assert {tuple(table.heads) for table in document.tables.all()} == {("Name", "Cost", "Price")}
    names = TableRow.objects.filter(document=document, kind="data")
    assert names.count() == 199
    last = document.chunks.order_by("index").last()
    assert last is not None
    (passage,) = with_tables([evidence_of(last, 1.0)])
    assert passage.table_heads == "Cost | Price"
    assert "| Item 199 | 1393 | 2189 |" in markdown(passage, passage.text)


def test_merged_heads_of_a_word_file_name_each_column(contracts: Datasource, alice: User, work: Any) -> None:
    word = Word()
    word.add_heading("Report", 1)
    table = word.add_table(rows=4, cols=5)
    cells = [
        ["", "Gross", "", "Net", ""],
        ["", "2024", "2023", "2024", "2023"],
        ["Europe", "1", "2", "3", "4"],
        ["Asia", "5", "6", "7", "8"],
    ]
    for place, row in enumerate(cells):
        for column, words in enumerate(row):
            table.cell(place, column).text = words
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 3).merge(table.cell(0, 4))
    written = io.BytesIO()
    word.save(written)
    document = read(contracts, alice, work, "report.docx", written.getvalue())
    found = document.tables.get()
    assert found.heads == ["", "Gross 2024", "Gross 2023", "Net 2024", "Net 2023"]


def test_chunks_of_another_size_have_the_same_structure(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work, "handbook.md", MARKDOWN)
    before = list(document.sections.values_list("path", "start", "end"))
    rechunk(contracts, size=200, overlap=0)
    work()
    assert list(document.sections.values_list("path", "start", "end")) == before
    assert document.tables.count() == 1
    sections = set(document.chunks.values_list("section", flat=True))
    assert "Handbook › Fees" in sections


def test_a_purge_takes_headings_and_tables(contracts: Datasource, alice: User, work: Any) -> None:
    document = read(contracts, alice, work, "handbook.md", MARKDOWN)
    receipt = purge(document, alice)
    assert receipt.removed["sections"] == 3
    assert receipt.removed["table_rows"] == 3
    left = Section.objects.count() + Table.objects.count() + TableRow.objects.count()
    assert left == 0, json.dumps(receipt.removed)


QUESTIONS = [
    (
        f"Q{number}",
        f"What do you do in the case of number {number}, and who has to be told of it in writing?",
        f"Answer {number}: the team is called within {number} hours. It writes down what it finds, and tells "
        "all customers who may be touched by it. Nothing is closed before they agree.",
    )
    for number in range(1, 31)
]


def questionnaire() -> bytes:
    """A PDF of several pages with one table, whose heads are not repeated."""
    style = ParagraphStyle("cell", fontSize=9)
    cells = [[Paragraph(words, style) for words in row] for row in QUESTIONS]
    heads = [Paragraph(f"<b>{name}</b>", style) for name in ("No.", "Question", "Answer")]
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    file = io.BytesIO()
    SimpleDocTemplate(file).build([FlowableTable([heads, *cells], colWidths=[40, 180, 230], style=grid)])
    return file.getvalue()


def test_rows_of_sentences_in_a_pdf_are_known_with_their_heads_on_each_page(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work, "questions.pdf", questionnaire())
    assert (document.page_count or 0) > 1
    assert {tuple(table.heads) for table in document.tables.all()} == {("No.", "Question", "Answer")}
    text = "\n".join(document.pages.order_by("number").values_list("text", flat=True))
    rows = TableRow.objects.filter(document=document, kind="data").order_by("start")
    assert [tuple(text[start:end] for start, end, _ in row.places()) for row in rows] == QUESTIONS


def test_a_table_of_sentences_is_kept_whole_by_paragraph(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work, "questions.pdf", questionnaire())
    rechunk(contracts, size=500, overlap=0, chunking=Chunking.PARAGRAPH)
    work()
    chunks = list(document.chunks.order_by("index"))
    assert {chunk.kind for chunk in chunks} == {"table"}
    assert len(chunks) == document.tables.count()
    for number, question, answer in QUESTIONS:
        (chunk,) = [chunk for chunk in chunks if f"{number}\t" in chunk.text]
        assert f"{number}\t{question}\t{answer}" in chunk.text
    opened = browser_of(alice).get(f"{reverse('chunks', args=[contracts.pk])}?chunk={chunks[0].pk}")
    assert "Table" in text_of(opened)


def test_a_long_table_of_figures_is_divided_by_paragraph_where_its_parts_begin(
    contracts: Datasource, alice: User, work: Any
) -> None:
    sold = ["Computers", "Telephones", "Tablets", "Services", "Watches and accessories"]
    rows = [["", "2023", "2022"]]
    for begins, region in ((1, "Americas:"), (5, "Europe:")):
        rows += [[region], *([what, f"{begins}{n},784", f"{begins}{n},882"] for n, what in enumerate(sold))]
    file = io.BytesIO()
    SimpleDocTemplate(file).build([FlowableTable(rows, colWidths=[180, 80, 80])])
    document = read(contracts, alice, work, "report.pdf", file.getvalue())
    rechunk(contracts, size=200, overlap=0, chunking=Chunking.PARAGRAPH)
    work()
    (europe,) = document.chunks.filter(text__contains="Europe:")
    assert europe.text.startswith("Europe:")
    assert all(what in europe.text for what in sold)
    assert europe.kind == "table"
