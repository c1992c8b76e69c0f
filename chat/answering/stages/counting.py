"""Questions for a count or a complete list: counted by code to the last passage, or said to be a sample."""

import re

from chat.answering.extractive.words import matter, names
from chat.answering.question.intent import Intent
from chat.answering.stages.stage import Stage, Work
from chat.events import Step, ToolCalled, ToolReturned
from jobs.threads import SEARCHES

COUNT = "list_mentions"
LONGEST = 200  # characters that can be counted

_QUOTED = re.compile(r"[\"“„«‘']([^\"”“»’']{2,100})[\"”“»’']")
_MENTIONED = re.compile(
    r"\b(?:mention|contain|refer|name|cite|use|include|discuss|erwähn|enthalt|mentionn|contien|mencion)\w*\b"
    r"(?:\s+(?:to|about|of|the (?:word|words|term|phrase|name)|das Wort|den Begriff|le mot|la palabra))*"
    r"(?:\s+(?:the|a|an|any|der|die|das|le|la|les|el|los|las))?\s+(?P<words>[^?.!;]{2,100})",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:mentions|occurrences|times|word|term|phrase)\b\s+(?:of\s+)?(?P<words>[^?.!;]{2,60})", re.IGNORECASE
)
_TAIL = re.compile(
    r"\s+(?:in|within|across|of|among|anywhere|at|are|is|was|were|do|does|please|occurs?|appears?)\b.*$",
    re.IGNORECASE,
)


class Counting(Stage):
    """The total comes from a scan of every passage and not from a model."""

    name = "counting"
    label = "Count"
    icon = "list-checks"
    doing = "Counting in all documents"
    switch = "classify"
    time_limit = 15.0
    without = "Nothing was counted in all documents: what is listed is a sample of the nearest passages"

    def is_due(self, work: Work) -> bool:
        return work.intent == Intent.AGGREGATION and not work.answered and self.name not in work.done

    async def run(self, work: Work) -> None:
        words = counted_words(work.standalone)
        if not words or work.tools.named(COUNT) is None:
            return
        step = self.step(self.name, f"“{words}” in every passage")
        arguments = {"words": words}
        await work.emit(ToolCalled(call_id=self.name, tool=COUNT, arguments=arguments, step=step))
        result = await SEARCHES.run(work.tools.run_here, COUNT, arguments)
        work.notice("counted", result.note)
        told = Step(id=self.name, label=self.label, icon=self.icon, text=result.note, state="")
        await work.emit(
            ToolReturned(
                call_id=self.name, tool=COUNT, hits=len(result.evidence), ms=0, ok=True,
                summary=result.note, step=told,
            )
        )  # fmt: skip


class Sampling(Stage):
    """Says that a list is not complete where nobody has counted."""

    name = "sampling"
    label = "Sample"
    icon = "list-checks"
    switch = "classify"

    def is_due(self, work: Work) -> bool:
        return work.is_new and work.intent == Intent.AGGREGATION and self.name not in work.done

    async def run(self, work: Work) -> None:
        counted = any(notice.code == "counted" for notice in work.notices)
        if not counted and not any(f'"{COUNT}"' in asked for asked in work.asked_before):
            work.notice(
                "sample",
                "This is a sample, written from the nearest passages; not every passage was looked at. "
                "Ask which documents mention a word to have all of them counted.",
            )


def counted_words(question: str) -> str:
    """The words whose passages are to be counted; empty where the question names none."""
    if quoted := _QUOTED.search(question):
        return quoted[1].strip()
    for form in (_MENTIONED, _ABOUT):
        if found := form.search(question):
            words = _TAIL.sub("", found["words"]).strip(" ,:'\"“”")
            if words:
                return words[:LONGEST]
    return " ".join(names(question))[:LONGEST] if not matter(question) else ""
