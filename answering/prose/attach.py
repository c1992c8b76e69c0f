"""Finds the quote for a sentence that a model has written without one. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence

from answering.extractive.candidates import Candidate, Passage, candidates
from answering.extractive.model import tag_of
from answering.extractive.words import Terms, stems
from citations.parse import TAG
from citations.support import check_support
from retrieval.evidence import Evidence
from retrieval.tables import markdown
from text.sentences import sentence_ends

LEAST = 0.5  # share of a sentence's words, rare ones counting more, that its quote has
FEWEST = 2  # words with a meaning in a sentence that states something
LOOKED_AT = 4  # quotes whose words are compared one by one
_LIST_MARK = re.compile(r"^\s*(?:[-*+•>]|\d{1,3}[.)]|#{1,6})\s+")
_NUMBERS = re.compile(r"\s*\[(?:passage |source )?\d{1,2}(?:\s*,\s*\d{1,2})*\]", re.IGNORECASE)


class Quotable:
    """The sentences and rows of passages, each of which may carry a claim."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._parts = [part for part in candidates(passages) if not TAG.search(part.quote)]
        self._words = [set(stems(f"{part.around} {part.text}")) for part in self._parts]

    def quote_for(self, sentence: str) -> Candidate | None:
        """The part that carries the sentence best; None where none has enough of its words."""
        if len(set(stems(sentence))) < FEWEST or not self._parts:
            return None
        terms = Terms(sentence, self._words)
        shares = [terms.covered(own) for own in self._words]
        best = sorted(range(len(shares)), key=lambda at: (-shares[at], len(self._parts[at].text)))
        near = [self._parts[at] for at in best[:LOOKED_AT] if shares[at] >= LEAST]
        carries = (part for part in near if check_support(sentence, part.text).support == "supported")
        return next(carries, near[0] if near else None)


def quotable(found: Mapping[str, Evidence]) -> Quotable:
    """Of the passages that a model was given, by key."""
    return Quotable(passages_of(found))


def passages_of(found: Mapping[str, Evidence]) -> list[Passage]:
    """Passages by their keys, as their sentences are chosen from."""
    return [
        Passage(
            key=key,
            document=each.document_title,
            text=each.text,
            score=each.score,
            table=markdown(each, each.text),
            table_heads=each.table_heads,
        )
        for key, each in found.items()
    ]


def attached(text: str, parts: Quotable) -> str:
    """The text with a citation behind each sentence for which there is a quote."""
    return "".join(f"{with_quote(said, parts)}{gap}" for said, gap in sentences_of(text))


def with_quote(sentence: str, parts: Quotable) -> str:
    """The same for one sentence, without the numbers of passages that a model has put into it."""
    said = _NUMBERS.sub("", sentence)
    quote = parts.quote_for(_LIST_MARK.sub("", said))
    return f"{said} {tag_of(quote)}" if quote else said


def sentences_of(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence, list item and line, and the white space behind it; together they are the text."""
    for line in text.splitlines(keepends=True):
        start = 0
        for end in [*sentence_ends(line), len(line)]:
            whole = line[start:end]
            said = whole.rstrip()
            yield said, whole[len(said) :]
            start = end
