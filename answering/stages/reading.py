"""Reads whole documents for a question that the nearest passages cannot answer: a summary, a complete list, a
comparison.

What fits into the model at once is given to it whole. From longer documents a model chooses the sentences
that belong to the answer, part by part; their words are the documents' own.
"""

import asyncio
import json
from collections.abc import Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_noop

from answering.shortening.fitting import fitted, tokens_of
from answering.stages.counting import counted_words
from answering.stages.stage import Stage
from answering.state.conversation import LONGEST_ANSWER, messages, room_for_answer
from answering.state.work import CallResult, Work
from answering.tools.runner import ToolResult
from answering.values.events import StageStarted
from answering.whole.asking import MOST, Wanted, meant, wanted
from answering.whole.choosing import choose
from answering.whole.parts import Part, parts_of, texts_of
from jobs import loop_tasks
from jobs.threads import SEARCHES
from localization.stored import said, said_of, sentences
from providers.openai.tokens import estimated_request
from providers.protocols import Message, ProviderError, ToolCall
from retrieval.evidence import Evidence
from retrieval.whole_documents import Readable
from text.counted import counted
from text.prompt import render

PROMPTS = Path(__file__).parent.parent / "prompts" / "whole"
READ = "read_page"  # the call whose result the model is shown
AT_ONCE = 3  # parts that are read at the same time
OF_PART = 6_000  # tokens of a part: in longer ones models overlook more
AT_A_TIME = 16_000  # tokens of passages that the answer is written from, at most
UNKNOWN_ROOM = 10_000  # the same where the server does not say how much its model reads
LEAST_ROOM = 1_500  # with less, reading part by part leaves nothing to write from
OF_SENTENCE = 45  # tokens of a chosen sentence with its share of the passage's frame
MOST_PARTS = 30  # 180,000 tokens
# Looked at before anything is counted: as tokens are estimated, a character is a quarter of one at least.
MOST_CHARACTERS = 5 * MOST_PARTS * OF_PART
LAST_SECONDS = 45  # of the time of a question that are left for the answer
LEAST_SECONDS = 5  # for a part; in less none is read
MOST_MONEY = 0.6  # of what a question may cost, for reading
NO_TIME = "the time of a question was over"
_NOT_NAMED = gettext_noop("The model did not name sentences in the form it was asked for.")
NO_NUMBERS = "the model did not name sentences in the form it was asked for"

CHOSEN = gettext_noop(
    "The model chose the sentences that the answer needs, part by part, and may have overlooked some."
)
DO_NOT_FIT = gettext_noop(
    "They are about {before} units of text and {room} fit into the answer's request, so those that have "
    "least to do with the question were left out."
)
AT_THE_LIMIT = gettext_noop("It named as many as it may, and may have left some out, in: {parts}.")
SEARCHED = gettext_noop(
    "The nearest passages were searched instead, so a list or a summary may lack something."
)
TOO_LARGE = gettext_noop("All of {what} is longer than a question may take.")
READ_ALL = gettext_noop("Read from beginning to end: {what}.")
READ_IN_PART = gettext_noop("Read, except for the parts that are named beside this: {what}.")
NOT_CLEAR = gettext_noop(
    "Up to {most} documents are read from beginning to end for one question, and which ones it means is not "
    "clear. Name them by their titles, or choose them before you ask."
)
NOTHING_CHOSEN = gettext_noop(
    "In what was read of {what}, the model found no sentence that the answer needs."
)


class Reading(Stage):
    """Also the plan for such a question: nothing is searched after it, the answer is written from it."""

    name = "reading"
    label = gettext_noop("Read whole")
    icon = "book-open"
    doing = gettext_noop("Reading whole documents")
    switch = "read_whole"
    time_limit = 900.0
    without = gettext_noop(
        "The documents were not read whole: the answer is written from the nearest passages."
    )

    def is_due(self, work: Work) -> bool:
        return (
            work.written is None
            and work.rounds.number == 0
            and work.means.library is not None
            and work.helper is not None
            and not work.means.model.plans_here
            and wanted(work.question) is not None
            and not counted_words(work.question)
        )

    async def run(self, work: Work) -> None:
        asked = wanted(work.question)
        assert work.means.library is not None
        there = await work.means.library.documents()
        documents = meant(work.question, there)
        if asked is None or not documents:
            if there or (await work.means.titles(1))[1]:  # none are listed where there are very many
                work.notice("not_clear", sentences(said(NOT_CLEAR, most=MOST), SEARCHED))
            return
        numbers = [document.id for document in documents]
        room = await _room(work)
        is_huge = await work.means.library.characters(numbers) > MOST_CHARACTERS
        passages = [] if is_huge else await work.means.library.passages(numbers)
        tokens, parts = await SEARCHES.run(_divided, passages, room)
        if is_huge or room < LEAST_ROOM or len(parts) > MOST_PARTS or _costs_too_much(work, tokens, room):
            work.notice("too_large", sentences(said(TOO_LARGE, what=_named(documents)), SEARCHED))
            return
        if not passages:
            return
        if not parts:
            _tell(work, asked, documents, passages, None, said(READ_ALL, what=_named(documents)))
            return
        read = await self._chosen(work, asked, parts, room)
        if read.unread:
            work.notice("not_read_whole", _left_out(read.unread))
        if not read.texts:
            work.notice("nothing_chosen", sentences(said(NOTHING_CHOSEN, what=_named(documents)), SEARCHED))
            return
        texts, before = await SEARCHES.run(fitted, passages, read.texts, work.question, room)
        how = READ_IN_PART if read.unread else READ_ALL
        told: list[str] = [said(how, what=_named(documents)), CHOSEN]
        if texts is not read.texts:
            told.append(said(DO_NOT_FIT, before=before, room=room))
        if read.at_the_limit:
            told.append(said(AT_THE_LIMIT, parts=_pages(read.at_the_limit)))
        # What is shortened once more, if the model can be given less, begins here.
        work.passages = replace(work.passages, tokens=room)
        _tell(work, asked, documents, passages, texts, sentences(*told))

    async def _chosen(self, work: Work, asked: Wanted, parts: Sequence[Part], room: int) -> "_Read":
        """Raises ProviderError if no part was read."""
        assert work.helper is not None
        most = max(3, room // OF_SENTENCE // len(parts))
        chosen: list[Collection[int]] = [()] * len(parts)
        failed: list[ProviderError] = []
        unread: list[tuple[Part, str]] = []
        done, at_once = 0, asyncio.Semaphore(AT_ONCE)
        await self._progress(work, parts, 0, chosen)

        async def one(place: int) -> None:
            nonlocal done
            assert work.helper is not None
            async with at_once:
                if why := _no_room(work, parts[place], room):
                    unread.append((parts[place], why))
                    return
                try:
                    async with asyncio.timeout(_seconds(work)):
                        numbers, usage = await choose(work.helper, work.question, asked, parts[place], most)
                except TimeoutError:
                    unread.append((parts[place], NO_TIME))
                    return
                except ProviderError as error:
                    failed.append(error)
                    unread.append((parts[place], error.message.partition(". ")[0].rstrip(".")))
                    return
            work.usage += usage
            if numbers is None:
                failed.append(ProviderError(_NOT_NAMED))
                unread.append((parts[place], NO_NUMBERS))
                return
            chosen[place], done = numbers, done + 1
            await self._progress(work, parts, done, chosen)

        async with work.helper:
            await _all([one(place) for place in range(len(parts))])
        if failed and done == 0:
            raise failed[0]
        full = [part for part, numbers in zip(parts, chosen, strict=True) if len(numbers) >= most]
        return _Read(texts=texts_of(parts, chosen), unread=unread, at_the_limit=full)

    async def _progress(
        self, work: Work, parts: Sequence[Part], done: int, chosen: Sequence[Collection[int]]
    ) -> None:
        tokens = sum(part.tokens for part in parts)
        text = f"{done} of {counted(len(parts), 'part')} read, about {tokens:,} units of text in all"
        found = counted(sum(map(len, chosen)), "sentence")
        is_whole = done == len(parts)
        step = self.step(self.name, text, found=found, **({"state": ""} if is_whole else {}))
        await work.means.emit(StageStarted(stage=self.name, step=step))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """texts: by passage, the sentences that belong to the answer. unread: parts that were not read, and why.
    at_the_limit: parts of which the model named as many sentences as it may.
    """

    texts: Mapping[int, str]
    unread: Sequence[tuple[Part, str]]
    at_the_limit: Sequence[Part]


async def _all(runs: Sequence[Coroutine[Any, Any, None]]) -> None:
    """All of them at the same time; the first error ends the others."""
    tasks = [asyncio.create_task(run) for run in runs]
    try:
        await asyncio.gather(*tasks)
    finally:
        await loop_tasks.end(tasks)


def _divided(passages: Sequence[Evidence], room: int) -> tuple[int, list[Part]]:
    """How many tokens have to be read, and the parts if that is too much at once. A long document keeps a
    processor busy for seconds: not in the event loop.
    """
    tokens = tokens_of(passages)
    if tokens <= room:
        return tokens, []
    parts = parts_of(passages, min(OF_PART, max(room, LEAST_ROOM)))
    return max(tokens, sum(part.tokens for part in parts)), parts  # with the numbers of the sentences


async def _room(work: Work) -> int:
    """Tokens of passages that the model can be given at once."""
    window = await asyncio.to_thread(work.means.window)
    if window is None:
        return UNKNOWN_ROOM
    free = window - room_for_answer(window) - estimated_request(messages(work), ())
    return min(AT_A_TIME, int(free * 0.9))


def _costs_too_much(work: Work, tokens: int, room: int) -> bool:
    """Whether the tokens that a question may take would not do."""
    limit = work.asked.settings.tokens
    needed = tokens if tokens <= room else tokens + tokens // 8 + room
    return bool(limit) and work.used.tokens + needed + LONGEST_ANSWER > limit


def _tell(
    work: Work,
    asked: Wanted,
    documents: Sequence[Readable],
    passages: Sequence[Evidence],
    texts: Mapping[int, str] | None,
    how: str,
) -> None:
    """Show the model what was read as if it had asked for it; it answers from that. texts: what is left of
    the passages, by chunk; None: all of them. how: what readers are told of that.
    """
    evidence = [passage for passage in passages if texts is None or passage.chunk_id in texts]
    arguments = {"document": documents[0].title, "page": 1, "pages": max(1, documents[0].pages)}
    call = ToolCall(id=READ, name=READ, arguments=json.dumps(arguments, ensure_ascii=False))
    told = CallResult(call=call, result=ToolResult(evidence=evidence, summary=_titles(documents), whole=True))
    work.rounds = replace(
        work.rounds,
        said=(*work.rounds.said, Message(role="assistant", tool_calls=(call,)), told),
        unread=(told,),
        most=work.rounds.number + 1,
    )
    work.passages = replace(work.passages, texts=texts, read_whole=True)
    work.manner = render(PROMPTS / f"{asked}.md", read=f"Read for this question: {_titles(documents)}.")
    work.notice("read_whole", how)


def _named(documents: Sequence[Readable]) -> list[str]:
    """For people."""
    return [
        said_of("{title} ({n} page)", "{title} ({n} pages)", each.pages, title=each.title)
        if each.pages
        else each.title
        for each in documents
    ]


def _titles(documents: Sequence[Readable]) -> str:
    return ", ".join(
        f"{each.title} ({counted(each.pages, 'page')})" if each.pages else each.title for each in documents
    )


def _seconds(work: Work) -> float | None:
    """How long a part may take, so that there is time for the answer."""
    return None if work.seconds_left is None else max(0.0, work.seconds_left - LAST_SECONDS)


def _no_room(work: Work, part: Part, room: int) -> str:
    """Why the limits of a question do not allow another part, as the answer needs the rest; else empty."""
    settings, seconds = work.asked.settings, _seconds(work)
    if seconds is not None and seconds < LEAST_SECONDS:
        return NO_TIME
    tokens = work.used.tokens + part.tokens + room + LONGEST_ANSWER
    money = float(work.means.payer.money or 0)
    is_spent = (settings.tokens and tokens > settings.tokens) or (
        settings.money and money > settings.money * MOST_MONEY
    )
    return "the limit of a question was reached" if is_spent else ""


def _left_out(unread: Sequence[tuple[Part, str]]) -> str:
    """Page by page, and why."""
    by_reason: dict[str, list[Part]] = {}
    for part, why in unread:
        by_reason.setdefault(why, []).append(part)
    told = [f"Not read ({why}): {'; '.join(_pages(parts))}." for why, parts in by_reason.items()]
    return " ".join([*told, "What stands there is missing here."])


def _pages(parts: Sequence[Part]) -> list[str]:
    """Where they stand, in order."""
    told: list[str] = []
    for part in sorted(parts, key=lambda part: (part.title, part.pages[0])):
        first, last = part.pages[0], part.pages[-1]
        told.append(
            said("{title}, page {first}", title=part.title, first=first)
            if first == last
            else said("{title}, pages {first} to {last}", title=part.title, first=first, last=last)
        )
    return told
