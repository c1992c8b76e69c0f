"""Looks whether another document answers the question differently, and which of the two governs."""

import asyncio
import re
from collections.abc import Sequence

from chat.answering.differing.governs import SEARCHED, Place, governing
from chat.answering.differing.second_look import second_look
from chat.answering.differing.sides import Sides, differing, said
from chat.answering.extractive.candidates import Candidate, candidates
from chat.answering.extractive.model import quotation
from chat.answering.extractive.searches import LITERAL
from chat.answering.prose.attach import passages_of
from chat.answering.stages.stage import Stage, Work
from chat.citations.parse import TAG, Tag, parse
from chat.events import StageStarted
from chat.models import Citation, OnPage
from jobs.threads import QUOTING
from providers.protocols import Embedder, ProviderError

LOOKING = 15.0  # seconds for the second reader
ANCHORS = 3  # quotes of the answer that others are held against
SENTENCES = 12  # passages that a search for a ranking sentence may bring
BESIDE, RANKS = "Another document says otherwise:", "A sentence of one of them ranks the two:"


class Differing(Stage):
    """What the answer does not quote itself is quoted below it."""

    name = "differing"
    label = "Compare"
    icon = "columns-2"
    doing = "Comparing what the documents say"
    time_limit = 20.0
    without = "Whether another document says otherwise was not looked for."

    def is_due(self, work: Work) -> bool:
        if not work.is_new or work.found == "none" or self.name in work.done or work.local_embedder is None:
            return False
        return len({each.document_id for each in work.tools.by_key.values()}) > 1

    async def run(self, work: Work) -> None:
        assert work.local_embedder
        work.done.add(self.name)
        sides = await QUOTING.run(_sides, work, work.local_embedder())
        if sides is None or not await _stands(work, sides):
            return
        ranking = await _ranking(work, sides)
        quotes = [sides.one, sides.other, *([ranking] if ranking else [])]
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, _told(sides, ranking))))
        await _quote(work, quotes)
        work.differ = _kept(work, sides, quotes)


def _sides(work: Work, embedder: Embedder) -> Sides | None:
    """A sentence that the answer quotes, and one of another document that says otherwise. Blocks while they
    are embedded. Raises ProviderError.
    """
    parts = [part for part in candidates(passages_of(work.tools.by_key)) if not TAG.search(part.quote)]
    document = {key: each.document_id for key, each in work.tools.by_key.items()}
    for one in _cited(work.text, parts)[:ANCHORS]:
        others = [part for part in parts if document[part.passage.key] != document[one.passage.key]]
        if found := differing(work.standalone, one, others, embedder):
            return found
    return None


def _cited(text: str, parts: Sequence[Candidate]) -> list[Candidate]:
    """The parts that the answer quotes, in its order."""
    quoted = [(tag.key, _letters(tag.quote)) for tag in parse(text) if isinstance(tag, Tag)]
    return [
        part
        for key, letters in quoted
        for part in parts
        if part.passage.key == key
        and letters
        and (letters in _letters(part.text) or _letters(part.text) in letters)
    ]


def _overlap(one: str, other: str) -> bool:
    return bool(one and other) and (one in other or other in one)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


async def _stands(work: Work, sides: Sides) -> bool:
    """Whether they differ: where code isn't sure, the second reader is asked, if there is one."""
    if sides.sure or work.judge is None:
        return sides.sure
    try:
        async with asyncio.timeout(LOOKING), work.judge:
            verdict, usage = await second_look(work.judge, work.standalone, *map(said, sides.both))
        work.usage += usage
    except (ProviderError, TimeoutError):
        return False
    return verdict


async def _ranking(work: Work, sides: Sides) -> Candidate | None:
    """The sentence that says which document governs: of the passages at hand, else searched for by words."""
    documents = {work.tools.by_key[side.passage.key].document_id for side in sides.both}
    if found := await QUOTING.run(_governing, work, sides, documents):
        return found
    for words in SEARCHED:
        asked = {"words": words, "limit": SENTENCES}
        result = await work.tools.run(LITERAL, asked, documents=documents)
        work.tools.content(result)
    return await QUOTING.run(_governing, work, sides, documents)


def _governing(work: Work, sides: Sides, documents: set[int]) -> Candidate | None:
    within = {key: each for key, each in work.tools.by_key.items() if each.document_id in documents}
    parts = [part for part in candidates(passages_of(within)) if not TAG.search(part.quote)]
    places = [Place(title=part.passage.document, text=part.text) for part in parts]
    both = [Place(title=side.passage.document, text=side.text) for side in sides.both]
    number = governing(both, places)
    return None if number is None else parts[number]


def _told(sides: Sides, ranking: Candidate | None) -> str:
    titles = f"{sides.one.passage.document} and {sides.other.passage.document} differ"
    return f"{titles}; a sentence ranks them" if ranking else titles


async def _quote(work: Work, quotes: Sequence[Candidate]) -> None:
    """Quote below the answer what it does not quote."""
    lines = ("", "") if work.model.quotes_only else (BESIDE, RANKS)
    for line, quote in zip(lines, quotes[1:], strict=False):
        if _number(work.text, quote) is None:
            work.text += "".join(f"\n\n{each}" for each in (line, quotation(quote)) if each)
    await work.show(work.text, True)


def _number(text: str, quote: Candidate) -> int | None:
    """The number of the citation that has the words of the quote."""
    tags = [tag for tag in parse(text) if isinstance(tag, Tag)]
    letters = _letters(quote.text)
    for number, tag in enumerate(tags, start=1):
        if tag.key == quote.passage.key and _overlap(_letters(tag.quote), letters):
            return number
    return None


def _place_of(words: str, citation: Citation) -> list[int] | None:
    """Where the quote as it stands on the page has these words, whose white space is folded."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), citation.quote)
    return list(found.span()) if found else None


def _kept(work: Work, sides: Sides, quotes: Sequence[Candidate]) -> dict[str, object]:
    """As the turn keeps it; empty where a value is in no quote that is on its page."""
    by_number = {citation.n: citation for citation in work.citations if citation.on_page != OnPage.ABSENT}
    found = [by_number.get(_number(work.text, quote) or 0) for quote in quotes]
    kept: dict[str, object] = {"kind": sides.how.kind}
    told = []
    for part, (start, end), citation in zip(sides.both, sides.how.spans, found, strict=False):
        place = citation and _place_of(part.text[start:end], citation)
        if not (citation and place):
            return {}
        told.append({"citation": citation.n, "value": place})
    kept["sides"] = told
    if len(found) > 2 and (ranking := found[2]):
        kept["ranked_by"] = ranking.n
    return kept
