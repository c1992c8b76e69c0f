"""Looks whether another document answers the question differently, and which of the two governs."""

import asyncio
import logging
import re
from collections.abc import Collection, Iterator, Sequence

from chat.answering.differing.governs import SEARCHED, Place, governing
from chat.answering.differing.second_look import second_look
from chat.answering.differing.sides import Sides, differing, said
from chat.answering.extractive.amendments import with_what_they_change
from chat.answering.extractive.candidates import Candidate, Passage, candidates
from chat.answering.extractive.model import quotation
from chat.answering.extractive.question import Question
from chat.answering.extractive.searches import LITERAL
from chat.answering.prose.attach import passages_of
from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted
from chat.models import Citation
from citations.choices import OnPage
from citations.parse import TAG, Tag, parse
from jobs.threads import QUOTING
from providers.protocols import ProviderError
from text.words import letters

logger = logging.getLogger(__name__)

LOOKING, SEARCHING = 10.0, 6.0  # seconds for the second reader, and for the ranking sentence
ANCHORS = 3  # sentences of the answer that others are held against
SENTENCES = 12  # passages that a search for a ranking sentence may bring
BESIDE, RANKS = "Another document says otherwise:", "This sentence may rank the two:"


class Differing(Stage):
    """What the answer does not quote itself is quoted below it; it claims nothing."""

    name = "differing"
    label = "Compare"
    icon = "columns-2"
    doing = "Comparing what the documents say"
    time_limit = 20.0
    without = "Whether another document says otherwise was not looked for"

    def is_due(self, work: Work) -> bool:
        if not work.is_new or work.found == "none" or self.name in work.done or work.local_embedder is None:
            return False
        return len({each.document_id for each in work.tools.by_key.values()}) > 1

    async def run(self, work: Work) -> None:
        sides = await QUOTING.run(_sides, work)
        if sides is None or not await _stands(work, sides):
            return
        ranking = await _ranking(work, sides)
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, _told(sides, ranking))))
        await _quote(work, sides, ranking)
        work.differ = _kept(work, sides, ranking)


def _sides(work: Work) -> Sides | None:
    """A sentence that the answer quotes, and one of another document that says otherwise. Blocks while they
    are embedded. Raises ProviderError.
    """
    assert work.local_embedder
    passages = with_what_they_change(passages_of(work.tools.by_key))
    document = {key: each.document_id for key, each in work.tools.by_key.items()}
    parts = _quotable(passages)
    pairs = [
        (one, other)
        for one in _cited(work.text, passages)
        for other in parts
        if document[other.passage.key] != document[one.passage.key]
    ]
    if not pairs:
        return None
    parts_asked = Question.of(work.standalone, "").parts
    asked = [part.text for part in parts_asked] or [work.standalone]
    found = filter(None, (differing(question, pairs, work.local_embedder()) for question in asked))
    return max(found, key=lambda sides: sides.sure, default=None)


def _quotable(passages: Sequence[Passage]) -> list[Candidate]:
    return [part for part in candidates(passages) if not TAG.search(part.quote)]


def _cited(text: str, passages: Sequence[Passage]) -> list[Candidate]:
    """The first sentences that the answer quotes, each once."""
    by_key = {passage.key: passage for passage in passages}
    found: dict[str, Candidate] = {}
    for tag in _tags(text):
        if tag.key in by_key and len(found) < ANCHORS:
            parts = (part for part in _quotable([by_key[tag.key]]) if _overlap(tag.quote, part.text))
            found |= {part.text: part for part in parts if part.text not in found}
    return list(found.values())[:ANCHORS]


def _tags(text: str) -> Iterator[Tag]:
    return (part for part in parse(text) if isinstance(part, Tag))


def _overlap(one: str, other: str) -> bool:
    mine, theirs = letters(one).lower(), letters(other).lower()
    return bool(mine and theirs) and (mine in theirs or theirs in mine)


async def _stands(work: Work, sides: Sides) -> bool:
    """Whether they differ: where code isn't sure, the second reader is asked, if there is one."""
    if sides.sure or work.judge is None:
        return sides.sure
    left = LOOKING if work.seconds_left is None else min(LOOKING, work.seconds_left)
    try:
        async with asyncio.timeout(left), work.judge:
            verdict, usage = await second_look(work.judge, work.standalone, *map(said, sides.both))
    except (ProviderError, TimeoutError) as error:
        logger.warning("no second look: %s", error)
        return False
    work.usage += usage
    return verdict


async def _ranking(work: Work, sides: Sides) -> Candidate | None:
    """The sentence that says which document governs: of the passages at hand, else searched for by words."""
    documents = {work.tools.by_key[side.passage.key].document_id for side in sides.both}
    found = await QUOTING.run(_governing, work, sides, documents)
    if found is None:
        try:
            async with asyncio.timeout(SEARCHING):
                for words in SEARCHED:
                    asked = {"words": words, "limit": SENTENCES}
                    work.tools.content(await work.tools.run(LITERAL, asked, documents=documents))
        except (ProviderError, TimeoutError) as error:  # what differs is told all the same
            logger.warning("no search for a ranking sentence: %s", error)
        found = await QUOTING.run(_governing, work, sides, documents)
    return found


def _governing(work: Work, sides: Sides, documents: Collection[int]) -> Candidate | None:
    within = {key: each for key, each in work.tools.by_key.items() if each.document_id in documents}
    parts = _quotable(passages_of(within))
    places = [Place(title=part.passage.document, text=part.text) for part in parts]
    both = [Place(title=side.passage.document, text=side.text) for side in sides.both]
    number = governing(both, places)
    return None if number is None else parts[number]


def _told(sides: Sides, ranking: Candidate | None) -> str:
    titles = f"{sides.one.passage.document} and {sides.other.passage.document} differ"
    return f"{titles}; a sentence may rank them" if ranking else titles


async def _quote(work: Work, sides: Sides, ranking: Candidate | None) -> None:
    """Quote below the answer what it does not quote."""
    quotes = [(part, words, BESIDE) for part, words in _stated(sides)]
    quotes += [(ranking, ranking.text, RANKS)] if ranking else []
    for part, words, line in quotes:
        if _number(work.text, part, words) is None:
            said_first = "" if work.model.quotes_only else line
            work.text += "".join(f"\n\n{each}" for each in (said_first, quotation(part)) if each)
    await work.show(work.text, True)


def _stated(sides: Sides) -> list[tuple[Candidate, str]]:
    """Each side with the words that differ."""
    return [
        (part, part.text[start:end]) for part, (start, end) in zip(sides.both, sides.how.spans, strict=True)
    ]


def _number(text: str, part: Candidate, words: str) -> int | None:
    """The number of the citation of this part that has these words of it."""
    for number, tag in enumerate(_tags(text), start=1):
        has = tag.key == part.passage.key and letters(words).lower() in letters(tag.quote).lower()
        if has and _overlap(tag.quote, part.text):
            return number
    return None


def _kept(work: Work, sides: Sides, ranking: Candidate | None) -> dict[str, object]:
    """As the turn keeps it; empty where a value is in no quote that is on its page."""
    by_number = {citation.n: citation for citation in work.citations if citation.on_page != OnPage.ABSENT}
    kept: list[dict[str, object]] = []
    for part, words in _stated(sides):
        citation = by_number.get(_number(work.text, part, words) or 0)
        if citation is None or (place := _place_of(words, citation)) is None:
            return {}
        kept.append({"citation": citation.n, "value": place, "of": len(citation.quote)})
    differ: dict[str, object] = {"kind": sides.how.kind, "sides": kept}
    if ranking and (number := _number(work.text, ranking, ranking.text)) in by_number:
        differ["ranked_by"] = number
    return differ


def _place_of(words: str, citation: Citation) -> list[int] | None:
    """Where the quote as it stands on the page has these words, whose white space is folded."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), citation.quote)
    return list(found.span()) if found else None
