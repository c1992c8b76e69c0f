"""Pages of runs: the overview, starting and ending them, a question's drill-down, files to keep."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.quotas import with_retry_after
from batches.models import UnderWay
from citations.judge import judge_of
from datasources.models import Datasource, Role
from datasources.numbers import number_in
from datasources.web.ending import stop_or_go_on
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for, posted_from, signed_in
from desks.evaluation.models import Question, Run, RunStatus
from desks.evaluation.reports.catalogue import shown_first
from desks.evaluation.reports.files import as_csv, as_json
from desks.evaluation.runs.services import delete, go_on, start_runs, stop
from desks.evaluation.runs.variants import checked_variants
from desks.evaluation.web import drilldown
from desks.evaluation.web.forms import VARIANTS, RunForm
from desks.evaluation.web.overview import chosen_runs, context_of


def run_of(request: HtmxRequest, pk: int, number: int, needed: Role = Role.VIEWER) -> Run:
    """Raises Http404 (stranger, no such run), PermissionDenied (low role)."""
    datasource = datasource_for(request, pk, needed)
    runs = Run.objects.select_related("question_set", "datasource")
    return get_object_or_404(runs, datasource=datasource, number=number)


@login_required
@require_safe
def overview(request: HtmxRequest, pk: int) -> HttpResponse:
    """?run= and ?against= are numbers of runs, ?show= and ?q= narrow the questions."""
    datasource = datasource_for(request, pk)
    run, against = chosen_runs(datasource, request.GET)
    context = bar(datasource, "evaluation") | {
        "can_edit": can_edit(request, datasource),
        "sets": list(datasource.question_sets.all()[:20]),
        "under_way": _under_way(datasource),
        "fell": last_fall(datasource),
    }
    if run is not None:
        context |= context_of(run, against, request.GET)
    return render(request, "evaluation/overview.html", context)


def last_fall(datasource: Datasource) -> Run | None:
    """The last run that started by itself, if it was worse than the one before."""
    last = Run.objects.filter(datasource=datasource, is_scheduled=True, status=RunStatus.DONE).first()
    return last if last and last.fallen else None


def _under_way(datasource: Datasource) -> list[tuple[Run, int, int]]:
    runs = Run.objects.filter(datasource=datasource, status__in=Run.unfinished).order_by("number")
    return [(run, run.question_results.count(), run.questions().count()) for run in runs]


@login_required
@require_safe
def state(request: HtmxRequest, pk: int) -> HttpResponse:
    """The part of the page that changes while runs are under way; the whole page once none is."""
    datasource = datasource_for(request, pk)
    if not request.htmx:
        return redirect("evaluation", pk)
    under_way = _under_way(datasource)
    response = render(
        request,
        "evaluation/_under_way.html",
        {"datasource": datasource, "under_way": under_way, "can_edit": can_edit(request, datasource)},
    )
    if not under_way:
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HtmxRequest, pk: int) -> HttpResponse:
    """Choose a set and variants; each variant is a run."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    sets = list(datasource.question_sets.all())
    form = RunForm(request.POST if request.method == "POST" else None)
    chosen = request.POST.getlist("variant") if request.method == "POST" else [""]
    number = number_in(request.POST.get("set") or request.GET.get("set"))
    picked = next((each for each in sets if each.pk == number), None)
    if picked is None and request.method != "POST":
        picked = sets[0] if sets else None
    written = request.POST.get("own", "").strip()
    is_complete = request.method == "POST" and form.is_valid()
    if picked is None and request.method == "POST":
        gone = _("This question set is not there any more. Nothing was started; choose another.")
        form.add_error(None, gone)
    elif not chosen and not written:
        form.add_error(None, _("No way of answering is chosen. Choose at least one."))
    elif is_complete and picked:
        asked = [*chosen, *([written] if written else [])]
        try:
            runs = start_runs(signed_in(request), picked, asked, **form.cleaned_data)
        except UnderWay as refusal:
            messages.info(request, refusal.messages[0])
            return redirect(f"{reverse('evaluation', args=[pk])}?run={refusal.row.number}")
        except ValidationError as refusal:
            form.add_error(None, refusal)
            return with_retry_after(_new_run_page(request, datasource, sets, picked, form, chosen), refusal)
        messages.success(request, _started(len(runs), is_all=len(runs) == len(checked_variants(asked))))
        return redirect(f"{reverse('evaluation', args=[pk])}?run={runs[0].number}")
    return _new_run_page(request, datasource, sets, picked, form, chosen)


def _started(n: int, *, is_all: bool) -> str:
    if is_all:
        return ngettext("{n} run started.", "{n} runs started.", n).format(n=n)
    return ngettext(
        "{n} run started. What else you have chosen is under way already.",
        "{n} runs started. What else you have chosen is under way already.",
        n,
    ).format(n=n)


def _new_run_page(
    request: HtmxRequest, datasource: Datasource, sets: Any, picked: Any, form: RunForm, chosen: list[str]
) -> HttpResponse:
    context = bar(datasource, "evaluation") | {
        "form": form,
        "sets": sets,
        "picked": picked,
        "variants": [(value, label, told, value in chosen) for value, label, told in VARIANTS],
        "has_judge": judge_of(datasource) is not None,
        "own": request.POST.get("own", ""),
        "more_chosen": any(value in chosen for value, _label, _told in VARIANTS[2:]),
    }
    refused = request.method == "POST"
    return render(request, "evaluation/new_run.html", context, status=422 if refused else 200)


def _page(pk: int, number: int) -> str:
    return f"{reverse('evaluation', args=[pk])}?run={number}"


@login_required
@posted_from(_page)
def end_run(request: HtmxRequest, pk: int, number: int) -> HttpResponse:
    """`action`: stop, go on, delete."""
    run = run_of(request, pk, number, Role.EDITOR)
    if request.POST.get("action") == "delete":
        delete(run)
        messages.success(request, _("{run} deleted with its results.").format(run=run))
        return redirect("evaluation", pk)
    stopped = _("{run} stopped. What was answered is kept.").format(run=run)
    stop_or_go_on(request, run, run.datasource, stop=stop, go_on=go_on, stopped=stopped)
    return redirect(_page(pk, number))


@login_required
@require_safe
def question(request: HtmxRequest, pk: int, number: int, question: int) -> HttpResponse:
    """One question of a run, ?against= another run."""
    run = run_of(request, pk, number)
    asked = get_object_or_404(
        Question.objects.prefetch_related("gold"), pk=question, question_set=run.question_set
    )
    other = number_in(request.GET.get("against"))
    against = Run.objects.filter(datasource=run.datasource, number=other).first() if other else None
    now = drilldown.side_of(run, asked, is_now=True)
    if now.result is None:
        raise Http404
    before = drilldown.side_of(against, asked, is_now=False) if against else None
    order = list(run.question_results.order_by("question").values_list("question", flat=True))
    place = order.index(now.result.question_id)
    chart, table = drilldown.chart_of(run, asked)
    context = bar(run.datasource, "evaluation") | {
        "run": run,
        "against": against,
        "question": asked,
        "sides": [now, *([before] if before else [])],
        "now": now,
        "before": before,
        "ranks": drilldown.ranks(now, before),
        "chart": chart,
        "table": table,
        "differences": drilldown.differences(now, before),
        "place": place + 1,
        "count": len(order),
        "previous": order[place - 1] if place else None,
        "next": order[place + 1] if place + 1 < len(order) else None,
        "documents": len({gold.document_title for gold in asked.gold.all()}),
        "scores": [
            (
                metric,
                now.result.scores.get(metric.name),
                before.result.scores.get(metric.name) if before and before.result else None,
            )
            for metric in shown_first(run, against)
        ],
    }
    return render(request, "evaluation/question.html", context)


@login_required
@require_safe
def export(request: HtmxRequest, pk: int, number: int, form: str) -> HttpResponse:
    """The run as csv, json, or a readable page (html)."""
    run = run_of(request, pk, number)
    other = number_in(request.GET.get("against"))
    against = Run.objects.filter(datasource=run.datasource, number=other).first() if other else None
    if form == "html":
        context = context_of(run, against, {}, most=None) | {"datasource": run.datasource}
        return render(request, "evaluation/report.html", context)
    makers = {
        "csv": (as_csv, "text/csv; charset=utf-8"),
        "json": (lambda run: as_json(run, against), "application/json"),
    }
    if form not in makers:
        raise Http404
    make, kind = makers[form]
    name = f"run-{run.number}.{form}"
    return HttpResponse(
        make(run), content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
