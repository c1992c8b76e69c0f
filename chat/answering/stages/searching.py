"""Runs the tool calls that the model asked for, all of a round at once."""

import asyncio
import json
import time
from dataclasses import replace
from typing import Any

from pydantic_core import from_json

from chat.answering.extractive.usual_words import is_made_up
from chat.answering.stages.stage import CallResult, Stage, Work
from chat.answering.tools.runner import ToolResult
from chat.events import Step, ToolCalled, ToolReturned
from jobs import loop_tasks
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
    label = "Look up"
    icon = "file-text"
    doing = "Searching your documents"

    def is_due(self, work: Work) -> bool:
        return bool(work.calls)

    async def run(self, work: Work) -> None:
        given = [_object(call.arguments) for call in work.calls]
        steps = [self._step(work, index, arguments or {}) for index, arguments in enumerate(given)]
        for call, arguments, step in zip(work.calls, given, steps, strict=True):
            await work.emit(ToolCalled(call_id=call.id, tool=call.name, arguments=arguments or {}, step=step))
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
                await work.emit(self._returned(work, index, result, ms, steps[index]))
        finally:
            await loop_tasks.end(running)
        work.unread = [CallResult(call=call, result=results[index]) for index, call in enumerate(work.calls)]
        work.said += work.unread
        work.calls, work.passages = (), None
        work.done -= {"ranking", "compressing"}

    def _repeated(self, work: Work) -> set[int]:
        """Which of the calls were made before, in this round or an earlier one."""
        repeated = set()
        for index, call in enumerate(work.calls):
            asked = json.dumps([call.name, _object(call.arguments)], sort_keys=True)
            if asked in work.asked_before and not work.model.plans_here:
                repeated.add(index)
            work.asked_before.add(asked)
        return repeated

    def _step(self, work: Work, index: int, arguments: dict[str, Any]) -> Step:
        key = f"call-{work.round}-{index}"  # the ids of some servers repeat
        tool = work.tools.named(work.calls[index].name)
        if tool is None:
            return self.step(key, texts(arguments))
        words = USUAL if is_made_up(str(arguments.get("query"))) else tool.in_words(arguments)
        return self.step(key, words, label=tool.label, icon=tool.icon)

    def _returned(self, work: Work, index: int, result: ToolResult, ms: int, step: Step) -> ToolReturned:
        call, hits = work.calls[index], len(result.evidence)
        tool = work.tools.named(call.name)
        step = replace(step, found=tool.counted(result.evidence) if tool else "", ms=ms, state="")
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


async def _timed(
    work: Work, index: int, arguments: dict[str, Any] | None, *, repeated: bool
) -> tuple[int, ToolResult, int]:
    """The call's index, its result, and how many milliseconds it took."""
    begun = time.monotonic()
    result = REPEATED if repeated else await work.tools.run(work.calls[index].name, arguments)
    return index, result, round((time.monotonic() - begun) * 1000)


def _object(text: str) -> dict[str, Any] | None:
    """What a model sent as arguments; None when it is not a JSON object."""
    try:
        value = from_json(text or "{}")
    except ValueError:
        return None
    return storable(value) if isinstance(value, dict) else None
