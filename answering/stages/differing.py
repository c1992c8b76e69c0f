"""Looks whether another document answers the question differently, and which of the two governs."""

import asyncio
import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from django.utils.translation import gettext_noop

from answering.differing.akin import share_a_name
from answering.differing.asking import Asking
from answering.differing.governs import SEARCHED, Place, governing
from answering.differing.in_other_languages import differing_elsewhere
from answering.differing.second_look import second_look
from answering.differing.sides import Sides, differing, excerpt_of
from answering.extractive.amendments import with_what_they_change
from answering.extractive.by_words import kinds_asked
from answering.extractive.candidates import Candidate, Passage, candidates
from answering.extractive.model import quotation
from answering.extractive.named_documents import others_than_named
from answering.extractive.question import Question
from answering.extractive.searches import LITERAL
from answering.prose.attach import passages_of
from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import StageStarted
from citations.checked import CheckedQuote
from citations.parse import TAG, Tag, parse
from jobs.threads import QUOTING
from providers.protocols import ProviderError
from retrieval.evidence import Evidence
from text.language import is_english
from text.words import letters

logger = logging.getLogger(__name__)

LOOKING, SEARCHING = 10.0, 6.0  # seconds for the second reader, and for the ranking sentence
ANCHORS = 3  # sentences of the answer that others are held against
SENTENCES = 12  # passages that a search for a ranking sentence may bring
BESIDE, RANKS = "Another document says otherwise:", "This sentence may rank the two:"
ALSO = "Another document speaks of it, too:"


class Differing(Stage):
    """What the answer does not quote itself is quoted below it; it claims nothing."""

    name = "differing"
    label = gettext_noop("Compare")
    icon = "columns-2"
    doing = gettext_noop("Comparing what the documents say")
    time_limit = 20.0
    without = gettext_noop("Whether another document says otherwise was not looked for.")

    def is_due(self, work: Work) -> bool:
        if work.new_answer is None or work.new_answer.found == "none" or work.means.local_embedder is None:
            return False
        return len({each.document_id for each in work.means.tools.by_key.values()}) > 1

    async def run(self, work: Work) -> None:
        sides = await QUOTING.run(_sides, work)
        if sides is None:
            return
        if not await _stands(work, sides):
            # Nobody has said that they don't.
            if work.means.judge is None and Asking(work.question).asks_for(sides.how.kind):
                told = f"{sides.other.passage.document} speaks of it, too"
                await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, told)))
                await _quote(work, [(part, words, ALSO) for part, words in _stated(sides)])
            return
        ranking = await _ranking(work, sides)
        await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, _told(sides, ranking))))
        quotes = [(part, words, BESIDE) for part, words in _stated(sides)]
        await _quote(work, [*quotes, (ranking, ranking.text, RANKS)] if ranking else quotes)
        work.differ = _kept(work, sides, ranking)


def _sides(work: Work) -> Sides | None:
    """A sentence that the answer quotes, and one of another document that says otherwise. Blocks while they
    are embedded. Raises ProviderError.
    """
    assert work.means.local_embedder
    assert work.written
    text = work.written.text
    passages = _passages(work, work.means.tools.by_key)
    document = {key: each.document_id for key, each in work.means.tools.by_key.items()}
    parts = _quotable(passages)
    others = _not_asked(work.question, passages)
    pairs = [
        (one, other)
        for one in _cited(text, passages)
        for other in parts
        if document[other.passage.key] != document[one.passage.key] and other.passage.document not in others
    ]
    if not pairs:
        return None
    embedder, told_of = work.means.local_embedder(), work.means.tools.relations.told_of

    def akin(one: str, other: str, but: Set[str]) -> bool:
        return share_a_name(told_of(one), told_of(other), but)

    questions = _questions(work)
    if not is_english(work.asked.question) and kinds_asked(work.asked.question):
        return differing_elsewhere(work.asked.question, pairs, _cited(text, passages), embedder, akin)
    found = filter(None, (differing(question, pairs, embedder, akin) for question in questions))
    return max(found, key=lambda sides: sides.sure, default=None)


def _questions(work: Work) -> list[str]:
    """What is asked, each part by itself. Of a follow-up that borrows the words of the question before it
    only its own, as those that it borrows were answered before.
    """
    before = [message.content for message in work.asked.history if message.role == "user"]
    question = Question.last_of([*before, work.asked.question])
    if question.own_words and question.text == work.question:
        return [question.asked]
    return [part.text for part in Question.of(work.question, "").parts] or [work.question]


def _passages(work: Work, by_key: Mapping[str, Evidence]) -> list[Passage]:
    known = work.means.tools.relations.changes
    found = (replace(passage, changes=known.get(passage.document, ())) for passage in passages_of(by_key))
    return with_what_they_change(list(found))


def _quotable(passages: Sequence[Passage]) -> list[Candidate]:
    return [part for part in candidates(passages) if not TAG.search(part.quote) and not part.boilerplate]


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
    if sides.sure or work.means.judge is None:
        return sides.sure
    left = LOOKING if work.seconds_left is None else min(LOOKING, work.seconds_left)
    try:
        async with asyncio.timeout(left), work.means.judge:
            verdict, usage = await second_look(work.means.judge, work.question, *map(excerpt_of, sides.both))
    except (ProviderError, TimeoutError) as error:
        logger.warning("no second look: %s", error)
        return False
    work.usage += usage
    return verdict


async def _ranking(work: Work, sides: Sides) -> Candidate | None:
    """The sentence that says which document governs: of the passages at hand, else searched for by words."""
    documents = {work.means.tools.by_key[side.passage.key].document_id for side in sides.both}
    found = await QUOTING.run(_governing, work, sides, documents)
    if found is None:
        try:
            async with asyncio.timeout(SEARCHING):
                for words in SEARCHED:
                    asked = {"words": words, "limit": SENTENCES}
                    work.means.tools.content(await work.means.tools.run(LITERAL, asked, documents=documents))
        except (ProviderError, TimeoutError) as error:  # what differs is told all the same
            logger.warning("no search for a ranking sentence: %s", error)
        found = await QUOTING.run(_governing, work, sides, documents)
    return found


def _governing(work: Work, sides: Sides, documents: Collection[int]) -> Candidate | None:
    within = {key: each for key, each in work.means.tools.by_key.items() if each.document_id in documents}
    parts = _quotable(_passages(work, within))
    places, both = ([*map(_place, some)] for some in (parts, sides.both))
    number = governing(both, places)
    return None if number is None else parts[number]


def _not_asked(question: str, passages: Sequence[Passage]) -> Set[str]:
    """Titles of the documents that the question doesn't ask: "the hire agreement" is no award agreement. What
    is changed by the one that it names is asked, too.
    """
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.document, []).append(passage.text)
    changes = {each.document: each.changes for each in passages}
    others = others_than_named(question, texts, changes)
    return others - {changed for title in texts.keys() - others for changed in changes[title]}


def _place(part: Candidate) -> Place:
    return Place(
        title=part.passage.document, text=part.text, clause=part.clause, changes=part.passage.changes
    )


def _told(sides: Sides, ranking: Candidate | None) -> str:
    titles = f"{sides.one.passage.document} and {sides.other.passage.document} differ"
    return f"{titles}; a sentence may rank them" if ranking else titles


async def _quote(work: Work, quotes: Sequence[tuple[Candidate, str, str]]) -> None:
    """Quote below the answer what it does not quote: each part for some words of it, behind a line on it."""
    assert work.written
    text = work.written.text
    for part, words, line in quotes:
        if _number(text, part, words) is None:
            said_first = "" if work.means.model.quotes_only else line
            text += "".join(f"\n\n{each}" for each in (said_first, quotation(part)) if each)
    work.written = replace(work.written, text=text)
    await work.means.show(text, True)


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
    by_number = {citation.n: citation for citation in work.citations if citation.is_on_page}
    assert work.written
    text, kept = work.written.text, list[dict[str, object]]()
    for part, words in _stated(sides):
        citation = by_number.get(_number(text, part, words) or 0)
        if citation is None or (place := _place_of(words, citation)) is None:
            return {}
        kept.append({"citation": citation.n, "value": place, "of": len(citation.quote)})
    differ: dict[str, object] = {"kind": sides.how.kind, "sides": kept}
    if ranking and (number := _number(text, ranking, ranking.text)) in by_number:
        differ["ranked_by"] = number
    return differ


def _place_of(words: str, citation: CheckedQuote) -> list[int] | None:
    """Where the quote as it stands on the page has these words, whose white space is folded."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), citation.quote)
    return list(found.span()) if found else None
