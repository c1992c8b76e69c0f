"""Questions for all that a document changes: “What changed in the deed of variation?”."""

import re
from collections.abc import Iterable, Sequence

from answering.extractive.candidates import Candidate
from answering.extractive.named_documents import others_than_named, without_kinds
from answering.extractive.words import stem, stems
from english.contracts.clauses import IN_PLACE_OF, clauses_set_aside, number_of_clause, on_one_term
from text.word_lists import words

MOST = 15  # changes that are quoted
LOOKED_UP = (
    "replaced by",
    "is deleted",
    "with effect from",
    "notwithstanding",
    "instead of",
)  # as changes are usually worded

_ASKS = re.compile(
    r"\b(?:what|which)\b.{0,30}\bchang(?:e|es|ed)\b|\b(?:all|list) (?:of )?(?:the )?changes\b"
    r"|\bwhat\b.{0,60}\bchange\W*$",
    re.IGNORECASE,
)
_ASKING = {stem(word) for word in words("change changed make made list amend amended vary varied new")}
_CHANGES = re.compile(
    r"\b(?:with effect from|is (?:inserted|added|extended)|shall be (?:inserted|added)"
    rf"|{IN_PLACE_OF}|no longer|additional|goes? (?:up|down))\b",
    re.IGNORECASE,
)


def asks_for_changes(question: str) -> bool:
    """Whether it asks for changes, and of nothing but a document."""
    return bool(_ASKS.search(question)) and set(stems(without_kinds(question))) <= _ASKING


def changes_in(question: str, parts: Sequence[Candidate]) -> list[Candidate]:
    """Each sentence that changes another document, in the order of the clauses; where the question names
    documents by their kind, of these, and of what changes them.
    """
    texts: dict[str, list[str]] = {}
    for part in parts:
        texts.setdefault(part.passage.document, []).append(part.text)
    others = others_than_named(
        question, texts, {part.passage.document: part.passage.changes for part in parts}
    )
    found = [
        part
        for part in parts
        if part.passage.changes
        and part.passage.document not in others
        and _is_change(part, (text for title in part.passage.changes for text in texts.get(title, ())))
    ]
    return sorted(found, key=_place)


def _is_change(part: Candidate, amended: Iterable[str]) -> bool:
    """It says so, or it is a clause about a term that the other document defines."""
    if clauses_set_aside(part.text) or _CHANGES.search(part.text):
        return True
    return bool(number_of_clause(part.text)) and any(on_one_term(part.text, text) for text in amended)


def _place(part: Candidate) -> tuple[str, list[int]]:
    return part.passage.document, [int(each) for each in number_of_clause(part.text).split(".") if each]
