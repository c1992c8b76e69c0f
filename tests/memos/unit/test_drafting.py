"""The draft of a memo from notes."""

import time
from typing import Any

from chat.models import Note
from citations.marks import mark
from memos.citing import cited_in
from memos.drafting import MAX_SOURCES, Draft

RENT, DEPOSIT, TERM = "The rent is 900 euro.", "The deposit is [3] rents.", "It ends in May."


def source(n: int, quote: str) -> dict[str, Any]:
    return {
        "n": n,
        "document": 1,
        "title": "Lease",
        "pages": [1],
        "where": "page 1",
        "quote": quote,
        "said": "",
    }


def answer(question: str, text: str, *quotes: str, remark: str = "") -> Note:
    sources = [source(n, quote) for n, quote in enumerate(quotes, 1)]
    return Note(question=question, text=text, sources=sources, remark=remark)


def drafted(*notes: Note) -> Draft:
    draft = Draft()
    draft.add(notes)
    return draft


def test_numbers_go_on_from_note_to_note_and_a_passage_has_one() -> None:
    draft = drafted(
        answer("Rent?", f"900 euro. {mark(1)} Until May. {mark(2)}", RENT, TERM),
        answer("When?", f"In May. {mark(1)} Three rents. {mark(2)}", TERM, DEPOSIT, remark="Ask *Jo*"),
    )
    assert draft.text == (
        "## Rent?\n\n900 euro. [1] Until May. [2]\n\n## When?\n\nIn May. [2] Three rents. [3]\n\nAsk \\*Jo\\*"
    )
    assert [(each["n"], each["quote"]) for each in draft.sources] == [(1, RENT), (2, TERM), (3, DEPOSIT)]


def test_a_new_source_gets_a_number_that_none_has_even_where_two_are_alike() -> None:
    draft = Draft(text="Rent [1] and [2].", sources=[source(1, RENT), source(2, RENT)])
    draft.add([answer("When?", f"In May. {mark(1)}", TERM)])
    assert [(each["n"], each["quote"]) for each in draft.sources] == [(1, RENT), (2, RENT), (3, TERM)]


def test_the_same_words_on_another_page_are_another_source() -> None:
    elsewhere = Note(question="Again?", text=f"Yes. {mark(1)}", sources=[source(1, RENT) | {"pages": [7]}])
    draft = drafted(answer("Rent?", f"900 euro. {mark(1)}", RENT), elsewhere)
    assert [(each["n"], each["pages"]) for each in draft.sources] == [(1, [1]), (2, [7])]


def test_a_quote_alone_is_a_block_quote_whose_own_brackets_cite_nothing() -> None:
    draft = drafted(answer("Deposit?", "", DEPOSIT))
    assert draft.text == "## Deposit?\n\n> The deposit is \\[3\\] rents. [1]"
    assert cited_in(draft.text, draft.sources).missing == []


def test_a_number_that_a_model_wrote_is_no_citation() -> None:
    draft = drafted(answer("Rent?", f"As said in [7], 900 euro. {mark(1)}", RENT))
    assert cited_in(draft.text, draft.sources).missing == []
    assert "(7)" in draft.text


def test_a_passage_has_two_numbers_where_it_supports_one_claim_and_not_the_other() -> None:
    first, second = answer("Rent?", f"900. {mark(1)}", RENT), answer("Rent?", f"800. {mark(1)}", RENT)
    second.sources[0]["said"] = "contradicts the claim"
    draft = drafted(first, second)
    assert draft.text.endswith("800. [2]")
    assert [each["said"] for each in draft.sources] == ["", "contradicts the claim"]


def test_many_notes_are_put_together_in_a_moment_and_not_beyond_the_limit() -> None:
    notes = [answer("Rent?", mark(1), *(f"Quote {n}.{m}" for m in range(20))) for n in range(500)]
    begun = time.process_time()
    draft = drafted(*notes, *notes)
    assert time.process_time() - begun < 5
    assert MAX_SOURCES < len(draft.sources) <= MAX_SOURCES + 20
    assert drafted(*notes[:20], *notes[:20]).sources == drafted(*notes[:20]).sources
