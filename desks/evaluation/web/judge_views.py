"""The page on which a person judges what the judge has judged, without seeing its verdicts."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from datasources.models import Role
from datasources.numbers import number_in
from datasources.web.pages import HtmxRequest, bar, signed_in
from desks.evaluation.models import Result, Verdict
from desks.evaluation.questions.gold import text_of
from desks.evaluation.reports.judge_check import JudgedStatement, agreed, sample, waiting
from desks.evaluation.runs.judging import LONGEST, PASSAGES
from desks.evaluation.web.views import run_of
from english.quotable import flowing

NO_VERDICTS = gettext_lazy("No model has judged an answer of this run.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What the judge has read of one, without the breaks of its lines."""

    title: str
    pages: list[int]
    text: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def check_judge(request: HtmxRequest, pk: int, number: int) -> HttpResponse:
    """One statement after the other; POST gives the person's verdict on one. For editors."""
    run = run_of(request, pk, number, Role.EDITOR)
    person = signed_in(request)
    if request.method == "POST":
        _record(request, sample(run))
        return redirect("evaluation_judge", pk, number)
    chosen = sample(run)
    if not chosen:
        messages.error(request, NO_VERDICTS)
        return redirect(f"{reverse('evaluation', args=[pk])}?run={number}")
    left = waiting(run, person)
    own = Verdict.objects.filter(result__run=run, person=person)
    mine = {(verdict.result_id, verdict.statement): verdict.supported for verdict in own}
    context = bar(run.datasource, "evaluation") | {
        "run": run,
        "count": len(chosen),
        "place": len(chosen) - len(left) + 1,
        "due": left[0] if left else None,
        "passages": passages_of(left[0].result) if left else [],
        "agreement": None if left else agreed(run),
        "rows": [] if left else [(each, mine[each.key], mine[each.key] == each.supported) for each in chosen],
    }
    return render(request, "evaluation/judge.html", context)


def passages_of(result: Result) -> list[Passage]:
    """As the judge has read them, as far as the documents still have them."""
    texts: dict[int, str] = {}
    shown = []
    for each in result.passages[:PASSAGES]:
        document = each["document"]
        texts[document] = texts[document] if document in texts else text_of(document)
        words = texts[document][each["start"] : each["end"]][:LONGEST]
        shown.append(Passage(title=each["title"], pages=each["pages"], text=flowing(words)))
    return shown


def _record(request: HtmxRequest, chosen: list[JudgedStatement]) -> None:
    key = (number_in(request.POST.get("result")), number_in(request.POST.get("statement")))
    told = request.POST.get("supported")
    if key not in {each.key for each in chosen} or told not in ("yes", "no"):
        messages.error(request, _("This statement is not asked about any more. Nothing was recorded."))
        return
    Verdict.objects.update_or_create(
        result_id=key[0], statement=key[1], person=signed_in(request), defaults={"supported": told == "yes"}
    )
