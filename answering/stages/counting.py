"""Questions for a count or a complete list: counted exactly by code, or labelled as a sample."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_noop

from answering.question.intent import DOCUMENTS, Intent
from answering.stages.stage import Stage
from answering.state.work import CallResult, Work
from answering.tools.runner import ToolResult
from answering.values.events import Step, ToolCalled, ToolReturned
from citations.parse import Prose, parse
from english.dates import MONTH_DAY
from english.quantities import NUMBER, Quantity, number_of
from jobs.threads import SEARCHES
from localization.stored import said, sentences
from providers.protocols import Message, ToolCall
from retrieval.legs.mentions import Mentioned
from text.counted import counted
from text.word_lists import FUNCTION_WORDS

COUNT = "list_mentions"
MOST_LISTED = 1000  # documents that are kept with the answer; the total counts all
MOST_WORDS = 6  # of what is counted; a longer phrase is hardly one that documents have letter for letter

SAMPLE = gettext_noop(
    "This is a sample, written from the nearest passages; not every passage was looked at. "
    "Ask which documents mention a word to have all of them counted."
)
QUOTED = gettext_noop(
    "These are quotes from the nearest passages; not every passage was looked at. "
    "Ask which documents mention a word to have all of them counted."
)
TOO_LONG = gettext_noop("Counting them took too long.")
COUNTED_BY_MODEL = gettext_noop(
    "No quote states this number. It was counted in the nearest passages; not every passage was looked at."
)
_HOW_MANY = re.compile(
    r"\b(?:how many\b|wie viele\b|combien (?:de\b|d['’])|cuánt[oa]s\b|quant[ie]\b)", re.IGNORECASE
)
_NAMES_NUMBER = re.compile(
    r"(?:\b(?:clause|section|article|schedule|page|paragraph|part|annex|table|item|number|no\.)|§)\s*$",
    re.IGNORECASE,
)

# What is to be counted is said by quotation marks, by the object of what documents do, or by a noun for it.
_QUOTED = re.compile(r"(?<!\w)[\"“„«‘']([^\"”“»’']{2,100})[\"”“»’'](?!\w)")
_ABOUT_WORDS = re.compile(
    r"\b(?:mention|occur|appear|contain|refer|cite|say|erwähn|enth[aä]lt|vorkomm|contien|mencion)\w*\b"
    r"|\b(?:words?|terms?|phrases?|times|often|wort|begriff|mot|palabra)\b",
    re.IGNORECASE,
)
_ARTICLES = (  # "this Agreement" is a term of the documents, "this clause" one that was spoken of
    r"(?:(?:the|a|an|any|der|die|das|den|le|la|les|el|los|las)\s+"
    r"|(?:this|these|those|such)\s+(?=(?-i:[A-Z])))?"
)
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
    label = gettext_noop("Count")
    icon = "list-checks"
    doing = gettext_noop("Counting in all documents")
    switch = "classify"
    time_limit = 20.0  # the tool itself gives up before: nothing goes on counting behind the stage's back
    without = gettext_noop(
        "Nothing was counted in all documents: what is listed is a sample of the nearest passages."
    )

    def is_due(self, work: Work) -> bool:
        return work.intent == Intent.AGGREGATION and work.written is None

    async def run(self, work: Work) -> None:
        words = counted_words(work.question)
        if not words or work.means.tools.named(COUNT) is None:
            return
        step = self.step(self.name, f"“{words}” in every passage")
        arguments = {"words": words}
        await work.means.emit(ToolCalled(call_id=self.name, tool=COUNT, arguments=arguments, step=step))
        result = await SEARCHES.run(work.means.tools.run_here, COUNT, arguments)
        text = result.counted or "Not counted"
        if result.counted:
            listed = [_listed(each) for each in result.documents[:MOST_LISTED]]
            work.notice("counted", said("Counted in every passage: {total}", total=result.counted), listed)
            _tell(work, ToolCall(id=self.name, name=COUNT, arguments=json.dumps(arguments)), result)
        else:
            work.notice("sample", sentences(self.without, TOO_LONG))
        places = counted(sum(each.places for each in result.documents), "hit")
        told = Step(
            id=self.name,
            label=self.label,
            icon=self.icon,
            text=places if result.counted else text,
            state="" if result.counted else "w",
        )
        await work.means.emit(
            ToolReturned(
                call_id=self.name,
                tool=COUNT,
                hits=len(result.evidence),
                ms=0,
                ok=bool(result.counted),
                summary=text,
                step=told,
            )
        )


def _listed(document: Mentioned) -> dict[str, Any]:
    return {
        "document": document.document_id,
        "title": document.title,
        "passages": document.passages,
        "places": document.places,
        "chunk": document.chunk_id,
        "page": document.page,
    }


def _tell(work: Work, call: ToolCall, result: ToolResult) -> None:
    """Show the model the total as if it had asked for it, so that its answer states no other number."""
    if work.means.model.plans_here:
        return
    rounds, told = work.rounds, CallResult(call=call, result=result)
    asked = json.dumps([call.name, json.loads(call.arguments)], sort_keys=True)
    work.rounds = replace(
        rounds,
        asked_before=rounds.asked_before | {asked},
        unread=(told,),
        said=(*rounds.said, Message(role="assistant", tool_calls=(call,)), told),
    )


class Sampling(Stage):
    """Says that a list or a number may be incomplete where nothing was counted."""

    name = "sampling"
    label = gettext_noop("Sample")
    icon = "list-checks"
    switch = "classify"

    def is_due(self, work: Work) -> bool:
        counts = work.intent == Intent.AGGREGATION or _HOW_MANY.search(work.question)
        return work.new_answer is not None and bool(counts) and not work.manner and work.sought is None

    async def run(self, work: Work) -> None:
        results = [said.result for said in work.rounds.said if isinstance(said, CallResult)]
        if any(result.counted and result.evidence for result in results):
            return
        if work.intent != Intent.AGGREGATION:
            if not work.means.model.quotes_only and not _is_stated(work):
                work.notice("sample", COUNTED_BY_MODEL)
        elif not (work.means.model.quotes_only and any(notice.code == "counted" for notice in work.notices)):
            work.notice("sample", QUOTED if work.means.model.quotes_only else SAMPLE)


def _is_stated(work: Work) -> bool:
    """Whether a quote has the number that the answer gives first; also where it gives none."""
    text = work.written.text if work.written else ""
    given = next(_counts(" ".join(part.text for part in parse(text) if isinstance(part, Prose))), None)
    quotes = [citation.quote for citation in work.citations if citation.is_on_page]
    return given is None or any(said.carries(given) for quote in quotes for said in _counts(quote))


def _counts(text: str) -> Iterator[Quantity]:
    """The numbers in it that are no date, no year and no name of a clause or page."""
    without_dates = MONTH_DAY.sub(" ", text)
    for match in NUMBER.finditer(without_dates):
        quantity, named = number_of(match), _NAMES_NUMBER.search(without_dates[: match.start()])
        if quantity.unit != "year" and not named and (match["spelled"] or "").lower() != "one":
            yield quantity


def counted_words(question: str) -> str:
    """The words to count; empty if the question does not clearly name any, so that the model decides what to
    count.
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
