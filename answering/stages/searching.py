"""Runs the tool calls that the model asked for, all of a round at once."""

import asyncio
import json
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_noop
from pydantic_core import from_json

from answering.extractive.usual_words import is_made_up
from answering.stages.stage import Stage
from answering.state.work import CallResult, Work
from answering.tools.runner import ToolResult
from answering.values.events import Step, ToolCalled, ToolReturned
from jobs import loop_tasks
from localization.stored import said
from retrieval.tools.tool import texts
from text.normal_forms.storable import storable

USUAL = "the words in which documents usually state it"  # of a search for a made-up answer
REPEATED = ToolResult(
    refusal="You have made this same call before; its result is above. Search otherwise, or answer.",
    summary="asked before",
    repeated=True,
)


class Searching(Stage):
    """Each call is a step of its own in the trace, in the words of its tool; the label here is for calls of
    tools that do not exist.
    """

    name = "searching"
    label = gettext_noop("Look up")
    icon = "file-text"
    doing = gettext_noop("Searching your documents")

    def is_due(self, work: Work) -> bool:
        return bool(work.rounds.calls)

    async def run(self, work: Work) -> None:
        given = [_object(call.arguments) for call in work.rounds.calls]
        steps = [self._step(work, index, arguments or {}) for index, arguments in enumerate(given)]
        for call, arguments, step in zip(work.rounds.calls, given, steps, strict=True):
            await work.means.emit(
                ToolCalled(call_id=call.id, tool=call.name, arguments=arguments or {}, step=step)
            )
        results: dict[int, ToolResult] = {}
        repeated = self._repeated(work)
        running = [
            asyncio.create_task(_timed(work, index, given[index], repeated=index in repeated))
            for index in range(len(given))
        ]
        try:
            for finished in asyncio.as_completed(running):
                index, result, ms = await finished
                results[index] = result
                await work.means.emit(self._returned(work, index, result, ms, steps[index]))
        finally:
            await loop_tasks.end(running)
        rounds = work.rounds
        unread = tuple(CallResult(call=call, result=results[at]) for at, call in enumerate(rounds.calls))
        work.rounds = replace(rounds, unread=unread, said=(*rounds.said, *unread), calls=())
        work.passages = replace(work.passages, texts=None, read_whole=False)
        _tell_of_outside(work, results.values())

    def _repeated(self, work: Work) -> set[int]:
        """Which of the calls were made before, in this round or an earlier one."""
        repeated, before = set(), set(work.rounds.asked_before)
        for index, call in enumerate(work.rounds.calls):
            asked = json.dumps([call.name, _object(call.arguments)], sort_keys=True)
            if asked in before and not work.means.model.plans_here:
                repeated.add(index)
            before.add(asked)
        work.rounds = replace(work.rounds, asked_before=frozenset(before))
        return repeated

    def _step(self, work: Work, index: int, arguments: dict[str, Any]) -> Step:
        key = f"call-{work.rounds.number}-{index}"  # the ids of some servers repeat
        tool = work.means.tools.named(work.rounds.calls[index].name)
        if tool is None:
            return self.step(key, texts(arguments))
        words = USUAL if is_made_up(str(arguments.get("query"))) else tool.in_words(arguments)
        return self.step(key, words, label=tool.label, icon=tool.icon)

    def _returned(self, work: Work, index: int, result: ToolResult, ms: int, step: Step) -> ToolReturned:
        call, hits = work.rounds.calls[index], len(result.evidence)
        tool = work.means.tools.named(call.name)
        found = result.found or (tool.counted(result.evidence) if tool else "")
        step = replace(step, found=found, ms=ms, state="")
        if result.without:
            step = replace(step, text=f"{step.text}. {result.without}", state="w")
        if result.refusal:
            text = f"{step.text}: {result.summary}".removeprefix(": ")
            step = replace(step, text=text, state="w" if result.repeated else "f")
        return ToolReturned(
            call_id=call.id,
            tool=call.name,
            hits=hits,
            ms=ms,
            ok=not result.refusal,
            summary=result.summary,
            step=step,
        )


def _tell_of_outside(work: Work, results: Iterable[ToolResult]) -> None:
    """What a reader must know of an answer that outside programs have a part in, be it by not answering."""
    if hosts := sorted({result.outside for result in results if result.outside}):
        work.notice(
            "outside",
            said(
                "Outside programs were asked: {hosts}. What they gave is in none of the documents and "
                "has no quote.",
                hosts=hosts,
            ),
        )


async def _timed(
    work: Work, index: int, arguments: dict[str, Any] | None, *, repeated: bool
) -> tuple[int, ToolResult, int]:
    """The call's index, its result, and how many milliseconds it took."""
    begun = time.monotonic()
    result = REPEATED if repeated else await work.means.tools.run(work.rounds.calls[index].name, arguments)
    return index, result, round((time.monotonic() - begun) * 1000)


def _object(text: str) -> dict[str, Any] | None:
    """What a model sent as arguments; None when it is not a JSON object."""
    try:
        value = from_json(text or "{}")
    except ValueError:
        return None
    return storable(value) if isinstance(value, dict) else None
