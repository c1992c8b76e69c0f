"""The words of the nearest passages that are shown for a part of a requirement where no model judges.

Passages are found by meaning; within them, sentences are chosen by the rare words that they share with it.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from citations.place import Place
from desks.compliance.checks.searching import Searched
from english.quotable import parts as quotable_parts
from retrieval.evidence import Evidence as Passage
from text.search.search_terms import terms
from text.stems import stem
from text.word_lists import FUNCTION_WORDS

LONGEST = 420  # characters that are shown
ENOUGH_PIECES = 10  # of fewer no word is called common; a common one says nothing
OF_TITLE = 2.0  # what a word of the requirement's title counts beside one of its wording: it names the matter
A_RANK = 0.05  # how much less a passage counts for each one that is nearer
_NO_CONTENT = FUNCTION_WORDS | {stem(word) for word in FUNCTION_WORDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """passage.text[start:end]: a sentence, or a question with its answer."""

    passage: Passage
    start: int
    end: int
    words: frozenset[str]


class NearestWords:
    """Of one requirement."""

    def __init__(self, searched: Searched) -> None:
        self._searched, self._title = searched, _content(searched.title)
        self._pieces = {key: _pieces(passage) for key, passage in searched.passages.items()}
        every = [piece for pieces in self._pieces.values() for piece in pieces]
        spread = Counter(word for piece in every for word in piece.words)
        common = max(ENOUGH_PIECES, len(every)) / 3
        self._weight = {
            word: math.log(1 + len(every) / count) if count <= common else 0.0
            for word, count in spread.items()
        }

    def of_parts(self, most: int) -> list[list[Place]]:
        """For each part its best sentences, one of a passage, without those that a part before it shows too.

        Where no sentence shares a word with a part, how its nearest passage begins.
        """
        best = [self._best(part)[:most] for part in range(len(self._searched.parts))]
        shown: list[Place] = []
        told = [_new(places, shown) for places in best]
        for part, places in enumerate(best):
            if not places:
                told[part] = _new(self._beginning(part), shown)
        return told

    def _best(self, part: int) -> list[Place]:
        wanted = _content(self._searched.parts[part]) | self._title
        best: list[tuple[float, Piece]] = []
        for rank, key in enumerate(self._searched.nearest[part]):
            scored = [(self._score(piece, wanted), piece) for piece in self._pieces[key]]
            score, piece = max(scored, key=lambda pair: pair[0], default=(0.0, None))
            if piece is not None and score > 0:
                best.append((score * (1 - A_RANK * rank), piece))
        best.sort(key=lambda pair: -pair[0])
        return _new([_place(piece.passage, piece.start, piece.end) for _, piece in best], [])

    def _beginning(self, part: int) -> list[Place]:
        nearest = [self._searched.passages[key] for key in self._searched.nearest[part][:1]]
        return [_place(passage, 0, min(len(passage.text), LONGEST)) for passage in nearest]

    def _score(self, piece: Piece, wanted: frozenset[str]) -> float:
        return sum(
            self._weight[word] * (OF_TITLE if word in self._title else 1.0) for word in piece.words & wanted
        )


def _new(places: Iterable[Place], shown: list[Place]) -> list[Place]:
    """Those that show something else than what is shown already; they are shown from then on."""
    new = []
    for place in places:
        if not any(_repeats(place, other) for other in shown):
            new.append(place)
            shown.append(place)
    return new


def _repeats(one: Place, other: Place) -> bool:
    """Passages overlap: two may have the same sentence, or one its end. Some sentences stand twice."""
    if one.document_id != other.document_id:
        return False
    return (one.start < other.end and other.start < one.end) or one.quote.split() == other.quote.split()


def _content(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - _NO_CONTENT


def _pieces(passage: Passage) -> list[Piece]:
    """A question takes the words behind it along, which answer it."""
    parts = [part for part in quotable_parts(passage.body) if part.kind != "heading"]
    pieces = []
    for place, part in enumerate(parts):
        end = part.end
        if (
            part.text.endswith("?")
            and place + 1 < len(parts)
            and parts[place + 1].end - part.start <= LONGEST
        ):
            end = parts[place + 1].end
        text = passage.text[part.start : end]
        pieces.append(Piece(passage=passage, start=part.start, end=end, words=_content(text)))
    return pieces


def _place(passage: Passage, start: int, end: int) -> Place:
    return Place(
        document_id=passage.document_id,
        title=passage.document_title,
        first_page=passage.first_page,
        start=passage.start + start,
        end=passage.start + end,
        method="exact",
        quote=passage.text[start:end],
        context=passage.text,
        at=start,
    )
