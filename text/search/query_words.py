"""The words of a query in a text: where they stand, in which form, and how many of them there are."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import OSA

from text.normal_forms.normal_form import fold, lower_in_place
from text.search.fuzzy_match import FIRST_CJK, slips_forgiven
from text.stems import stem
from text.word_lists import FUNCTION_WORDS
from text.words import COMPOUND

MOST_WORDS = 32  # of a query; what comes after is not marked
SHORTEST_BEGINNING = 2  # letters of a word that is still being typed

_PART = re.compile(r"[^\W_]+")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """text[start:end] is a word of the query, in this spelling or another."""

    start: int
    end: int
    word: int  # which of the query's words
    slips: int = 0  # letters that differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What a text holds of a query. `spans` are its places in order, neighbouring words joined."""

    words: tuple[str, ...]  # of the query, as typed
    held: frozenset[int]  # which of them
    spans: tuple[Span, ...]
    misspelt: frozenset[int]  # which of them only with other letters
    slips: int  # letters that differ in those
    together: bool  # all of them stand next to each other somewhere

    @property
    def share(self) -> float:
        """Of the query's words, 0 to 1."""
        return len(self.held) / len(self.words) if self.words else 0.0

    @property
    def present(self) -> list[str]:
        return [word for place, word in enumerate(self.words) if place in self.held]


class QueryWords:
    """A query, ready to be looked for in many texts.

    A word is found as it was typed, in another form ("terminate", "terminated"), begun where it is the last
    one, and otherwise misspelt by the slips that a literal search forgives.
    """

    def __init__(self, query: str) -> None:
        typed = list(dict.fromkeys(COMPOUND.findall(query)))[:MOST_WORDS]
        content = [word for word in typed if fold(word) not in FUNCTION_WORDS]
        self.words = tuple(content or typed)
        self._between = frozenset(map(fold, typed))
        self._folded = tuple(map(fold, self.words))
        self._stems = tuple(map(stem, self._folded))
        # "capital of Peru": a word in small letters is no slip of a name. The first word may be both.
        has_small = any(word[0].islower() for word in typed)
        self._is_name = tuple(has_small and word[0].isupper() and word != typed[0] for word in self.words)
        # A space after the last word, or a sign, says that it is finished.
        self._unfinished = len(self.words) - 1 if query[-1:].isalnum() and self.words else -1

    def held_by(self, text: str, strict: Collection[int] = ()) -> Holding:
        """What the text holds of them; every offset is one of `text`. strict: words that must be spelt so."""
        tokens = _Tokens(text)
        every = (place for word in range(len(self.words)) for place in self._places(word, tokens))
        places = [place for place in every if not place.slips or place.word not in strict]
        spans, together = self._joined(text, sorted(places, key=lambda place: (place.start, -place.end)))
        best = {word: min(p.slips for p in places if p.word == word) for word in {p.word for p in places}}
        return Holding(
            words=self.words,
            held=frozenset(best),
            misspelt=frozenset(word for word, slips in best.items() if slips),
            spans=spans,
            slips=sum(best.values()),
            together=together,
        )

    def _places(self, word: int, tokens: "_Tokens") -> list[Place]:
        folded = self._folded[word]
        if max(folded) >= FIRST_CJK:
            return [Place(start=s, end=e, word=word) for s, e in tokens.of_script_without_spaces(folded)]
        same = tokens.by_word.get(folded, []) + tokens.by_stem.get(self._stems[word], [])
        if not same and word == self._unfinished and len(folded) >= SHORTEST_BEGINNING:
            begun = (spans for other, spans in tokens.by_word.items() if other.startswith(folded))
            same = [span for spans in begun for span in spans]
        if same:
            return [Place(start=start, end=end, word=word) for start, end in dict.fromkeys(same)]
        return [
            Place(start=start, end=end, word=word, slips=slips)
            for other, spans in tokens.by_word.items()
            if other not in FUNCTION_WORDS and (slips := _slips(folded, other))
            for start, end in spans
            if not self._is_name[word] or tokens.is_capital(start)
        ]

    def _joined(self, text: str, places: Sequence[Place]) -> tuple[tuple[Span, ...], bool]:
        """Spans without overlap; words with nothing but the query's small words between them are one."""
        spans: list[Span] = []
        inside: list[set[int]] = []
        for place in places:
            if spans and (place.start < spans[-1][1] or self._bridges(text[spans[-1][1] : place.start])):
                spans[-1] = spans[-1][0], max(spans[-1][1], place.end)
                inside[-1].add(place.word)
            else:
                spans.append((place.start, place.end))
                inside.append({place.word})
        return tuple(spans), any(len(words) == len(self.words) for words in inside)

    def _bridges(self, gap: str) -> bool:
        between = gap.replace("-", " ").split()
        return all(fold(word) in self._between and fold(word) in FUNCTION_WORDS for word in between)


class _Tokens:
    """The words of a text and where they stand: whole compounds, and the parts of each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.by_word: dict[str, list[Span]] = {}
        for match in COMPOUND.finditer(text):
            self.by_word.setdefault(fold(match[0]), []).append(match.span())
            parts = list(_PART.finditer(match[0]))
            for part in parts if len(parts) > 1 else ():
                span = match.start() + part.start(), match.start() + part.end()
                self.by_word.setdefault(fold(part[0]), []).append(span)

    @cached_property
    def by_stem(self) -> dict[str, list[Span]]:
        stems: dict[str, list[Span]] = {}
        for word, spans in self.by_word.items():
            stems.setdefault(stem(word), []).extend(spans)
        return stems

    def is_capital(self, start: int) -> bool:
        return self._text[start].isupper()

    def of_script_without_spaces(self, word: str) -> list[Span]:
        """The word itself, else its pairs of letters."""
        lowered = lower_in_place(self._text)
        for sought in ([word], [word[at : at + 2] for at in range(len(word) - 1)]):
            spans = [match.span() for piece in sought for match in re.finditer(re.escape(piece), lowered)]
            if spans:
                return spans
        return []


def _slips(word: str, other: str) -> int:
    """How many letters differ, if so few that they may be a slip; else 0.

    Where one slip is forgiven, a word that begins with another letter is another word ("varly", "early"),
    unless its first two letters are swapped.
    """
    allowed = slips_forgiven(word)
    if not allowed or abs(len(word) - len(other)) > allowed or any(map(str.isdigit, other)):
        return 0
    if allowed == 1 and word[0] != other[0] and word[:2] != other[1::-1]:
        return 0
    distance = OSA.distance(word, other, score_cutoff=allowed)
    return distance if distance <= allowed else 0
