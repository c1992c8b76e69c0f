"""One question in one run or two: both answers, the passages, what differs, and how it went before."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from citations.choices import Support
from desks.evaluation.models import Kind, Question, Result, Run
from desks.evaluation.reports.catalogue import shown_first
from desks.evaluation.reports.comparison import history
from desks.evaluation.reports.files import answer_of
from desks.evaluation.web import charts
from desks.evaluation.web.settings_in_words import changed
from text.search.search_terms import terms
from text.word_lists import FUNCTION_WORDS

STATES = {
    Support.SUPPORTED: ("check", "ok"),
    Support.FACTS_AGREE: ("scale", ""),
    Support.CONTRADICTED: ("x", "bad"),
    Support.NEEDS_EYE: ("eye", "warn"),
}
ENDINGS = {
    "answered": gettext_noop("{run} wrote an answer."),
    "partial": gettext_noop("{run} wrote an answer to a part."),
    "quotes": gettext_noop("{run} quoted passages."),
    "unproven": gettext_noop("{run} wrote an answer without proof."),
    "not_found": gettext_noop("{run} found no answer."),
    "searched": gettext_noop("{run} only searched."),
}
NO_ENDING = gettext_noop("{run} did not come to an answer.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A citation as a line: the claim, or the quote where nothing is claimed."""

    n: int
    text: str
    is_quote: bool
    state: str  # "ok", "warn", "bad", ""
    icon: str
    says: str
    title: str
    document: int | None
    page: int | None
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A run's part of the page."""

    run: Run
    result: Result | None
    is_now: bool
    statements: list[Statement]
    answer: str
    missing: list[str]
    unsaid: list[str]  # words of a no-source question that the quotes do not have


def side_of(run: Run, question: Question, *, is_now: bool) -> Side:
    rows = Result.objects.filter(run=run, question__key=question.key).select_related("question")
    result = rows.first()
    return Side(
        run=run,
        result=result,
        is_now=is_now,
        statements=[_statement(each) for each in result.citations] if result else [],
        answer=answer_of(result) if result else "",
        missing=_missing(question, result) if result else [],
        unsaid=_unsaid(question, result) if result else [],
    )


def _unsaid(question: Question, result: Result) -> list[str]:
    """Why a question that nothing answers should have been refused."""
    if question.kind != Kind.NONE or not result.citations:
        return []
    quoted = set(terms(" ".join(each["quote"] for each in result.citations)))
    words = [word.strip('.,?()“”"') for word in question.text.split()]
    return [word for word in words if word.lower() not in FUNCTION_WORDS and not set(terms(word)) <= quoted]


def _statement(citation: dict[str, Any]) -> Statement:
    claim = citation["claim"]
    icon, state = STATES.get(citation["support"], ("quote", ""))
    says = _(str(Support(citation["support"]).label)) if citation["support"] in STATES else _("On the page")
    if citation["on_page"] == "absent":
        icon, state, says = "circle-alert", "bad", _("No source found")
    return Statement(
        n=citation["n"],
        text=claim or citation["quote"],
        is_quote=not claim,
        state=state,
        icon=icon,
        says=_(citation["reason"]).rstrip(".") or says,
        title=citation["title"],
        document=citation["document"],
        page=citation["pages"][0] if citation["pages"] else None,
        quote=citation["quote"],
    )


def _missing(question: Question, result: Result) -> list[str]:
    """Where the pieces of the answer stand of which no passage was used: one place in each such document."""
    if question.kind == Kind.NONE or result.scores.get("completeness", 1.0) >= 1.0:
        return []
    used = {passage["document"] for passage in result.passages if passage["used"] and passage["gold"]}
    places: dict[int | None, str] = {}
    for gold in question.gold.all():
        where = _("{title}, p. {page}") if gold.page else "{title}"
        places.setdefault(gold.document_id, where.format(title=gold.document_title, page=gold.page))
    missing = [place for document, place in places.items() if document not in used]
    return missing or [_("a part of the expected answer")]


def ranks(now: Side, before: Side | None, most: int = 10) -> list[tuple[int, Any, Any]]:
    """Rank, and the passage of each run at it."""
    ours = now.result.passages if now.result else []
    theirs = before.result.passages if before and before.result else []
    count = min(most, max(len(ours), len(theirs)))
    return [
        (
            place + 1,
            ours[place] if place < len(ours) else None,
            theirs[place] if place < len(theirs) else None,
        )
        for place in range(count)
    ]


def differences(now: Side, before: Side | None) -> list[str]:
    """Why it may have changed, as far as the records show."""
    if before is None or now.result is None or before.result is None:
        return []
    lines = []
    ours = {p["chunk"] for p in now.result.passages if p["gold"]}
    theirs = {p["chunk"] for p in before.result.passages if p["gold"]}
    for found, run in ((ours - theirs, now.run), (theirs - ours, before.run)):
        if found:
            told = ngettext(
                "{run} found {n} gold passage that the other did not.",
                "{run} found {n} gold passages that the other did not.",
                len(found),
            )
            lines.append(told.format(run=run, n=len(found)))
    if now.result.outcome != before.result.outcome:
        lines += [_ending(side.run, side.result) for side in (now, before) if side.result]
    lines += changed(now.run, before.run)
    return lines or [_("The settings and the gold passages found are the same.")]


def _ending(run: Run, result: Result) -> str:
    return _(ENDINGS.get(result.outcome, NO_ENDING)).format(run=run)


def chart_of(run: Run, question: Question) -> tuple[Any, list[tuple[str, Any]]]:
    """The last runs of the question as lines, and the same as a table."""
    past = history(run, question.key)
    series = {
        _(metric.label): [result.scores.get(metric.name) for _run, result in past]
        for metric in shown_first(run)
    }
    if len(past) < 2:
        return "", []
    drawn = charts.lines(
        _("This question, last {n} runs").format(n=len(past)),
        series,
        _("run {number}").format(number=past[0][0].number),
        _("run {number}").format(number=past[-1][0].number),
    )
    return drawn, list(series.items())
