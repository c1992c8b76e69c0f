"""Questions for a count or a complete list: counted by code to the last passage, or said to be a sample."""

import json
import re

from chat.answering.question.intent import DOCUMENTS, Intent
from chat.answering.stages.stage import Stage, Told, Work
from chat.answering.tools.runner import ToolResult
from chat.events import Step, ToolCalled, ToolReturned
from jobs.threads import SEARCHES
from providers.protocols import Message, ToolCall
from text.word_lists import FUNCTION_WORDS

COUNT = "list_mentions"
MOST_WORDS = 6  # of what is counted; a longer phrase is hardly one that documents have letter for letter

# What is to be counted is said by quotation marks, by the object of what documents do, or by a noun for it.
_QUOTED = re.compile(r"(?<!\w)[\"“„«‘']([^\"”“»’']{2,100})[\"”“»’'](?!\w)")
_ABOUT_WORDS = re.compile(
    r"\b(?:mention|occur|appear|contain|refer|cite|say|erwähn|enth[aä]lt|vorkomm|contien|mencion)\w*\b"
    r"|\b(?:words?|terms?|phrases?|times|often|wort|begriff|mot|palabra)\b",
    re.IGNORECASE,
)
_ARTICLES = r"(?:(?:the|a|an|any|der|die|das|den|le|la|les|el|los|las)\s+)?"
_NAMED = r"(?:(?:the\s+)?(?:words?|term|phrase|name)\s+|das Wort\s+|den Begriff\s+|le mot\s+|la palabra\s+)?"
_OBJECT = rf"{_NAMED}{_ARTICLES}(?P<words>[^?.!;:]{{2,100}})"
_MENTIONED = re.compile(
    rf"\b{DOCUMENTS}\s+(?:(?:that|which|do|does|explicitly)\s+)*"
    r"(?:mentions?|contains?|cites?|discuss(?:es)?|includes?|refers?\s+to|(?:talk|speak)s?\s+(?:about|of)"
    rf"|erwähn(?:en|t)|enthalten|enthält|mentionne(?:nt)?|contien(?:t|nent|en|e)|mencionan?)\s+{_OBJECT}",
    re.IGNORECASE,
)
_MENTIONS_OF = re.compile(rf"\b(?:mentions|occurrences)\s+of\s+{_OBJECT}", re.IGNORECASE)
_WHERE = re.compile(
    r"\s+(?:in|within|across|among|throughout|from|since|before|after)\s+"
    rf"(?:(?:all|of|the|this|these|those|any|each|my|our|your|year)\s+)*(?:{DOCUMENTS}|datasource|archive|\d{{4}})\b.*$"
    r"|\s+(?:are|is|was|were|do|does|please|anywhere|at all|there)\b.*$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r",|\b(?:and|or|but|not|und|oder|et|ou|y|o)\b", re.IGNORECASE)


class Counting(Stage):
    """The total comes from a scan of every passage and not from a model."""

    name = "counting"
    label = "Count"
    icon = "list-checks"
    doing = "Counting in all documents"
    switch = "classify"
    time_limit = 20.0  # the tool itself gives up before: nothing goes on counting behind the stage's back
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
        text = result.counted or "Not counted"
        if result.counted:
            work.notice("counted", f"Counted in every passage: {result.counted}")
            _tell(work, ToolCall(id=self.name, name=COUNT, arguments=json.dumps(arguments)), result)
        else:
            work.notice("sample", f"{self.without}. Counting them took too long.")
        told = Step(
            id=self.name, label=self.label, icon=self.icon, text=text, state="" if result.counted else "w"
        )
        await work.emit(
            ToolReturned(
                call_id=self.name, tool=COUNT, hits=len(result.evidence), ms=0, ok=bool(result.counted),
                summary=text, step=told,
            )
        )  # fmt: skip


def _tell(work: Work, call: ToolCall, result: ToolResult) -> None:
    """Let the model read the total as if it had asked for it, so that its answer says no other number."""
    if work.model.quotes_only:
        return
    work.asked_before.add(json.dumps([call.name, json.loads(call.arguments)], sort_keys=True))
    work.unread = [Told(call=call, result=result)]
    work.said += [Message(role="assistant", tool_calls=(call,)), *work.unread]


class Sampling(Stage):
    """Says that a list is not complete where nobody has counted."""

    name = "sampling"
    label = "Sample"
    icon = "list-checks"
    switch = "classify"

    def is_due(self, work: Work) -> bool:
        return work.is_new and work.intent == Intent.AGGREGATION and self.name not in work.done

    async def run(self, work: Work) -> None:
        results = [said.result for said in work.said if isinstance(said, Told)]
        counted = any(notice.code == "counted" for notice in work.notices)
        if not any(result.counted and result.evidence for result in results) and not (
            counted and work.model.quotes_only
        ):
            work.notice(
                "sample",
                "This is a sample, written from the nearest passages; not every passage was looked at. "
                "Ask which documents mention a word to have all of them counted.",
            )


def counted_words(question: str) -> str:
    """The words whose passages are to be counted; empty where the question does not plainly name any: then it
    is left to the model what to count.
    """
    quoted = _QUOTED.search(question)
    if quoted and _ABOUT_WORDS.search(question):
        return quoted[1].strip()
    found = _MENTIONED.search(question) or _MENTIONS_OF.search(question)
    if quoted or not found:
        return ""
    words = _WHERE.sub("", f" {found['words']}").strip(" '\"“”")
    each = words.lower().split()
    plain = each and each[0] not in FUNCTION_WORDS and len(each) <= MOST_WORDS
    return words if plain and not _SEVERAL.search(words) else ""
