"""Shortening passages to a number of tokens by leaving out sentences; none is changed. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from answering.extractive.words import Terms, stems
from english.quotable import Part, parts
from providers.openai.tokens import estimated_tokens
from retrieval.evidence import Evidence
from retrieval.tables import markdown

GAP = " […] "  # where sentences were left out; a quote that runs over it is still found in its document
_GAPS = re.compile(r"\s*\[…\]\s*")
NEIGHBOUR = 0.25  # of a sentence's worth that the ones beside it gain: they say what it speaks of
RANK = 0.5  # what being the best passage counts beside having all words of the question
OF_EACH = 0.5  # share of the room that the best sentences of all passages may take before others come


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    passage: int  # its place among the passages
    place: int  # among the parts of its passage
    worth: float
    tokens: int


def compressed(
    passages: Sequence[Evidence], question: str, room: int, frames: Mapping[int, int] | None = None
) -> dict[int, str]:
    """The text of each passage by chunk, together at most `room` tokens; passages are given best first.

    Of every passage its best sentence stays as long as there is room for it. One without room is left out.
    Passages may have been shortened before. frames: by chunk, tokens that a passage takes beside its text.
    """
    items = [list(_parts(passage)) for passage in passages]
    worths = _worths(items, question)
    sentences = [
        _Sentence(
            passage=number,
            place=place,
            worth=worths[number][place] + RANK / (number + 1),
            tokens=_tokens(passages[number], part),
        )
        for number, found in enumerate(items)
        for place, part in enumerate(found)
        if part.kind != "heading"
    ]
    kept = _fitting(sentences, room, [(frames or {}).get(passage.chunk_id, 0) for passage in passages])
    texts = {}
    for number, passage in enumerate(passages):
        places = {sentence.place for sentence in kept if sentence.passage == number}
        if places:
            texts[passage.chunk_id] = _joined(passage.text, items[number], places)
    return texts


def _parts(passage: Evidence) -> Iterator[Part]:
    """Of each stretch between gaps by itself: no sentence runs over one."""
    start = 0
    for end, following in [*(gap.span() for gap in _GAPS.finditer(passage.text)), (len(passage.text), 0)]:
        stretch = passage.text[start:end]
        for part in parts(stretch, passage.table_heads, markdown(passage, stretch)):
            yield replace(part, start=start + part.start, end=start + part.end)
        start = following


def _tokens(passage: Evidence, part: Part) -> int:
    """A row is read twice: as it stands, and under the names of its columns."""
    told = estimated_tokens(passage.text[part.start : part.end]) + 1
    return 2 * told if passage.table and part.kind == "row" else told


def _worths(items: Sequence[Sequence[Part]], question: str) -> list[list[float]]:
    """How much of the question each part has, and a little of what its neighbours have."""
    words = [[set(stems(f"{part.about} {part.heads} {part.text}")) for part in found] for found in items]
    terms = Terms(question, [own for found in words for own in found])
    worths = []
    for found in words:
        own = [terms.covered(each) for each in found]
        beside = [max(own[max(0, i - 1) : i] + own[i + 1 : i + 2], default=0.0) for i in range(len(own))]
        worths.append([one + NEIGHBOUR * other for one, other in zip(own, beside, strict=True)])
    return worths


def _fitting(sentences: Sequence[_Sentence], room: int, frames: Sequence[int]) -> list[_Sentence]:
    """The best sentence of each passage, then the best of all, as far as there is room. frames: tokens that
    the first sentence of each passage takes besides.
    """
    by_worth = sorted(sentences, key=lambda sentence: -sentence.worth)
    first: dict[int, _Sentence] = {}
    for sentence in by_worth:
        first.setdefault(sentence.passage, sentence)
    kept: dict[_Sentence, None] = {}
    framed: set[int] = set()
    spent = 0
    for sentence, most in [
        *((each, room * OF_EACH) for each in sorted(first.values(), key=lambda each: -each.worth)),
        *((each, room) for each in by_worth),
    ]:
        tokens = sentence.tokens + (0 if sentence.passage in framed else frames[sentence.passage])
        if sentence not in kept and spent + tokens <= most:
            kept[sentence] = None
            framed.add(sentence.passage)
            spent += tokens
    return list(kept)


def _joined(text: str, found: Sequence[Part], places: set[int]) -> str:
    """The parts at these places as they stand, a gap where others stood between them."""
    pieces: list[str] = []
    end, last = 0, -1
    for place in sorted(places):
        if last >= 0:
            pieces.append(text[end : found[place].start] if place == last + 1 else GAP)
        else:
            pieces.append(GAP.lstrip() if place else text[: found[0].start].lstrip())
        pieces.append(text[found[place].start : found[place].end])
        end, last = found[place].end, place
    pieces.append(GAP.rstrip() if last < len(found) - 1 else text[end:].rstrip())
    return "".join(pieces)
