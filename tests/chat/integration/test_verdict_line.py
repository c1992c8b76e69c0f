"""The line under an answer, its list, and the page that explains the verdicts."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat.citation_rows.store import quote_of, write
from chat.exports import as_json, as_markdown
from chat.models import Citation, Turn
from citations.checking import with_opinion
from citations.choices import ConfirmedBy, OnPage, Support
from citations.marks import mark
from citations.opinion import Opinion, Says
from datasources.models import Datasource, Document
from tests.factories import make_document, make_turn
from tests.people import browser_of

pytestmark = pytest.mark.django_db

SAYS = "The quote says “35 days”, the claim “90 days”."


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts, "Agreement", "Each backup is kept for 35 days and no longer.")


@pytest.fixture
def turn(alice: User, document: Document) -> Turn:
    """An answer with each of the verdicts, its first statement confirmed by code."""
    answer = " ".join(f"Statement {n} {mark(n)}." for n in range(1, 7))
    made = make_turn(alice, document, answer=answer)
    values: dict[str, Any] = {"document": document, "document_title": document.title, "pages": [1]}
    more: list[dict[str, Any]] = [
        {"support": Support.FACTS_AGREE, "reason": "Wording differs: paid / settled."},
        {"support": Support.NEEDS_EYE, "reason": "The sentence goes on with “unless”."},
        {"support": Support.CONTRADICTED, "reason": SAYS, "claim": "It is kept for 90 days"},
        {"on_page": OnPage.ABSENT},
        {"support": Support.NEEDS_EYE, "reason": "Other words."},
    ]
    quote = "kept for 35 days and no longer"
    for n, each in enumerate(more, start=2):
        told = values | {"on_page": OnPage.EXACT, "claim": f"Statement {n}", "quote": quote} | each
        Citation.objects.create(turn=made, n=n, written=quote, **told)
    last = made.citations.get(n=6)
    opinion = Opinion(says=Says.SUPPORTS, model="qwen3:14b", words="kept for 35 days", writer=True)
    write(last, with_opinion(quote_of(last), opinion))
    last.save()
    return made


def shown(client: Client, turn: Turn, query: str = "") -> str:
    there = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    return client.get(f"{there}{query}").content.decode()


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_line_counts_and_the_list_begins_with_what_is_riskiest(alice: User, turn: Turn) -> None:
    page = shown(browser_of(alice), turn)
    assert "2 of 6 statements confirmed, 4 for your eye first" in text(page)
    listed = re.findall(r'<a class="cite (\w+) inl"[^>]*aria-label="Source (\d)', page)
    assert listed == [("bad", "4"), ("nos", "5"), ("unv", "3"), ("agr", "2"), ("rdr", "6"), ("sup", "1")]
    assert "qwen3:14b, which wrote the answer" in text(page)
    assert 'kept for <span class="df">90 days</span>' in page


def test_a_sentence_that_names_no_source_counts_as_a_statement(alice: User, document: Document) -> None:
    answer = f"Backups are kept for *90 days* <b>here</b>.\n\nEach backup is kept for 35 days {mark(1)}."
    page = shown(browser_of(alice), make_turn(alice, document, answer=answer))
    assert "1 of 2 statements confirmed, 1 for your eye first" in text(page)
    first, second = re.findall(r"<li>.*?</li>", page[page.index('<ol class="vl-l"') :], re.DOTALL)[:2]
    assert "Backups are kept for 90 days &lt;b&gt;here&lt;/b&gt;." in first
    assert "Names no source" in first
    assert 'aria-label="Source 1' in second


def test_the_two_kinds_of_yes_have_words_of_their_own(alice: User, turn: Turn) -> None:
    page = shown(browser_of(alice), turn)
    assert 'aria-label="Source 1, Questionnaire' not in page
    for words in ("supports, checked by code", "supports, second reader", "facts agree, wording differs"):
        assert words in page
    pane = text(shown(browser_of(alice), turn, "?turn=1&cite=6"))
    assert "Supports, second reader." in pane
    assert (
        "qwen3:14b, the model that wrote the answer, read the claim, the quote and its whole sentence" in pane
    )


def test_the_words_that_differ_are_marked_in_claim_and_quote(alice: User, turn: Turn) -> None:
    page = shown(browser_of(alice), turn, "?turn=1&cite=4")
    assert "The answer says" in page
    assert '<span class="df">35 days</span>' in page


def test_exports_name_who_confirms(turn: Turn) -> None:
    told = as_json(turn)["citations"]
    assert [(each["support"], each["confirmed_by"], each["reader"]) for each in (told[0], told[5])] == [
        ("supported", "code", ""),
        ("supported", "reader", "qwen3:14b"),
    ]
    markdown = as_markdown(turn)
    assert "supports the claim, checked by code" in markdown
    assert "supports the claim, as qwen3:14b, which wrote the answer, says" in markdown


def test_when_all_is_confirmed_the_line_says_by_whom(alice: User, turn: Turn) -> None:
    turn.citations.exclude(n__in=(1, 6)).delete()
    assert "2 of 2 statements confirmed, 1 by code, 1 by the model that wrote them" in text(
        shown(browser_of(alice), turn)
    )


def test_claims_are_shown_letter_for_letter(alice: User, turn: Turn) -> None:
    turn.citations.filter(n=4).update(claim="<b>90 days</b> & more", reason="“<b>90” and “90 days”")
    page = shown(browser_of(alice), turn)
    assert "&lt;b&gt;" in page
    assert "<b>90 days" not in page


def test_the_page_of_verdicts_says_who_reads_and_what_can_be_installed(
    alice: User, contracts: Datasource, settings: Any
) -> None:
    address = reverse("verdicts", args=[contracts.pk])
    told = text(browser_of(alice).get(address).content.decode())
    assert "No language model is connected: all verdicts are by code." in told
    assert "lytang/MiniCheck-RoBERTa-Large" in told
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "qwen3:14b"
    told = text(browser_of(alice).get(address).content.decode())
    assert "qwen3:14b on 127.0.0.1 reads all claims of an answer in one call" in told
    assert "It is the same model that writes the answers" in told


def test_strangers_do_not_see_it(charlie: User, contracts: Datasource) -> None:
    assert browser_of(charlie).get(reverse("verdicts", args=[contracts.pk])).status_code == 404


def test_a_reader_that_has_no_opinion_changes_nothing(turn: Turn) -> None:
    first = with_opinion(quote_of(turn.citations.get(n=1)), None)
    assert (first.support, first.confirmed_by, first.reader) == (Support.SUPPORTED, ConfirmedBy.CODE, "")
