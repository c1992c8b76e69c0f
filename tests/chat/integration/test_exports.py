"""Answers outside of SVQ: the documented JSON, and Markdown with numbered sources."""

import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from markdown_it import MarkdownIt

from accounts.models import User
from answering.answer_stream import AnswerStream
from chat.api import rag_query
from chat.api.waiting import Renderer, ended, in_full
from chat.exports import answer_of, as_json, as_markdown, conversation_file
from chat.models import Citation, TurnStatus
from citations.choices import OnPage, Support
from citations.marks import mark
from datasources.models import Datasource, Document
from exchange.mcp.tools import ask
from tests.factories import make_document, make_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


def test_an_answer_in_markdown_names_each_source(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, answer=f"Thirty days. {mark(1)} Tapes rot. {mark(2)}")
    turn.citations.update(pages=[3, 4], quote="kept  for\nthirty days")
    Citation.objects.create(turn=turn, n=2, claim="Tapes rot.", written="tapes rot", on_page=OnPage.ABSENT)
    assert as_markdown(turn).splitlines() == [
        "# How long are backups kept?",
        "",
        "Thirty days. [1] Tapes rot. [2]",
        "",
        "## Sources",
        "",
        "1. Questionnaire, pages 3 and 4 (on the page; supports the claim, checked by code): "
        "“kept for thirty days”",
        "2. no source found: “tapes rot”",
    ]


def test_a_question_without_an_answer_says_why_and_prints_nothing_unproven(
    alice: User, document: Document
) -> None:
    near = {"document": document.pk, "title": "Lease", "chunk": 7, "pages": [1], "text": "Tapes rot."}
    turn = make_turn(alice, document, status=TurnStatus.NOT_FOUND, answer="It is 42.", nearest=[near])
    text = as_markdown(turn)
    assert text.startswith(
        "# How long are backups kept?\n\n*No passage stood out.* SVQ searched the documents"
    )
    assert "- Closest: Lease, page 1: “Tapes rot.”" in text
    for unproven in ("42", "Sources", "None of the documents"):
        assert unproven not in text
    told = as_json(turn)
    assert (told["answer"], told["citations"], told["nearest"]) == (
        "",
        [],
        [near | {"read_elsewhere": False}],
    )


def test_passages_are_called_passages(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, status=TurnStatus.QUOTES, quotes_only=True)
    turn.citations.update(support=Support.NONE, claim="")
    text = as_markdown(turn)
    assert "*Passages that may answer.* Copied from the documents, closest first." in text
    assert "1. Questionnaire, page 1 (on the page)" in text.splitlines(), "its words stand above"


@pytest.mark.parametrize("status", [TurnStatus.PARTIAL, TurnStatus.STOPPED, TurnStatus.FAILED])
def test_what_is_not_a_whole_answer_says_so(alice: User, document: Document, status: TurnStatus) -> None:
    turn = make_turn(alice, document, status=status, error_message="The server is gone.")
    text = as_markdown(turn)
    assert f"*{status.label}.*" in text
    assert ("The server is gone." in text) == (status == TurnStatus.FAILED)


HOSTILE = (
    "<script>x()</script> <img src=//evil.example/a> ![a](http://evil.example/b) ![c][d] <http://evil.example>"
    " [go](javascript:x) Paid [2] and &#91;3&#93;.\n\n[d]: http://evil.example/e"
)


def test_an_export_runs_nothing_calls_nobody_and_forges_no_source(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, question=HOSTILE, answer=f"{HOSTILE} {mark(1)}")
    turn.citations.update(quote=HOSTILE, document_title=HOSTILE, reason=HOSTILE)
    text = as_markdown(turn)
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)
    assert not re.search(r"<(?:script|img|a|iframe)\b", html)
    for opening in ("<script", "<img", "<http", "![a](", "[go]("):
        assert opening not in text
    assert re.findall(r"(?<!\\)\[\d+\]", text) == ["[1]"]
    assert re.findall(r"(?<!\\)\[\d+\]", as_json(turn)["answer"]) == ["[1]"]


WRITTEN = (
    "[1]",
    "\\[1\\]",
    "\\\\[1]",
    "[ 1 ]",
    "[*1*]",
    "**[1]**",
    "[1, 2]",
    "[¹]",
    "[１]",
    "&#91;1&#93;",
    "⟦1⟧",
    "&#10214;1⟧",
    "[`1`]",
    "[1][1]",
    "[1](http://evil.example)",
)


@pytest.mark.parametrize("forged", WRITTEN)
def test_a_number_that_was_written_looks_like_no_source(forged: str, alice: User, document: Document) -> None:
    stream = AnswerStream()
    stream.receive(f"Claim {forged}. True /citation[c1, true].", complete=True)
    turn = make_turn(alice, document, answer=stream.shown)
    answer = as_markdown(turn).partition("## Sources")[0]
    shown = re.sub(r"<[^>]+>", "", MarkdownIt("gfm-like", {"linkify": False}).render(answer))
    if "&#" not in forged:  # an entity is shown as it was written
        assert re.findall(r"\[[\s\d¹,]*\]", unescape(shown)) == ["[1]"], shown
    assert re.findall(r"(?<!\\)\[\d+\]", as_json(turn)["answer"]) == ["[1]"]


@pytest.mark.parametrize(
    "answer",
    [
        "See /citation[c1, a](http://evil.example/?q=secret)",
        "See !/citation[c1, a](http://evil.example/x.png)",
        "/citation[c1, a]: http://evil.example/x.png\n\nSee !/citation[c1, a]",
        "See !/citation[c1, a]/citation[c2, b]\n\n/citation[c2, b]: http://evil.example",
        "See \\/citation[c1, a]",
        "See ![/citation[c1, a]](http://evil.example/x.png)",
    ],
)
def test_what_stands_around_a_source_makes_no_link_of_it(
    answer: str, alice: User, document: Document
) -> None:
    stream = AnswerStream()
    stream.receive(answer, complete=True)
    turn = make_turn(alice, document, answer=stream.shown)
    for text in (as_markdown(turn), answer_of(turn) if "[/" not in answer else ""):
        html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)
        assert "<a" not in html
        assert "<img" not in html
    assert re.search(r"(?<!\\)(?:\\\\)*\[1\]", as_markdown(turn))


def test_json_has_numbers_in_place_of_marks_and_an_error_only_after_a_failure(
    alice: User, document: Document
) -> None:
    turn = make_turn(alice, document, answer=f"Thirty days. {mark(1)}")
    told = as_json(turn)
    assert (told["answer"], told["error"]) == ("Thirty days. [1]", None)
    assert [one["n"] for one in told["citations"]] == [1]
    turn.error_code, turn.error_message, turn.error_hint = "busy", "The server is busy.", "Try again."
    assert as_json(turn)["error"] == {
        "code": "busy",
        "message": "The server is busy.",
        "hint": "Try again.",
    }


@pytest.mark.parametrize("told", [in_full, rag_query.told, ask.outcome], ids=["turn", "rag/query", "MCP"])
def test_what_is_told_to_programs_reads_the_citations_once(
    alice: User, document: Document, told: Renderer
) -> None:
    asked = make_turn(alice, document, answer=f"Thirty days. {mark(1)}")
    with CaptureQueriesContext(connection) as statements:
        turn = ended(asked.pk, alice)
        assert turn is not None
        assert "Thirty days. [1]" in json.dumps(told(turn, alice)[1])
    assert sum('FROM "chat_citation"' in statement["sql"] for statement in statements) == 1


def test_a_source_that_was_not_found_keeps_the_words_that_were_written(
    alice: User, document: Document
) -> None:
    turn = make_turn(alice, document)
    turn.citations.update(quote="", written="never said", start=None, end=None, document=None)
    (told,) = as_json(turn)["citations"]
    assert (told["quote"], told["start"], told["document"]["id"]) == ("never said", None, None)


def test_a_conversation_is_one_file_named_after_it(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, question="Müll?")
    file = conversation_file(turn.conversation)
    assert file.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "M%C3%BCll%3F.md" in file.headers["Content-Disposition"]
    assert file.content.decode().startswith("# Müll?\n")
