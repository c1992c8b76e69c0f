"""Pages of question sets: the list, one set, one question."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.forms import Form
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from citations.judge import judge_of
from datasources.models import Datasource, Role
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for, posted_from, signed_in
from desks.evaluation.models import Kind, Origin, Question, QuestionSet, Schedule
from desks.evaluation.questions.draft import Draft, Proof
from desks.evaluation.questions.files.reading import read
from desks.evaluation.questions.files.writing import FORMS
from desks.evaluation.questions.importing import import_questions
from desks.evaluation.questions.rated import propose_rated
from desks.evaluation.questions.services import (
    add_questions,
    change_question,
    create_set,
    delete_set,
    look_again,
    order_questions,
    remove_questions,
)
from desks.evaluation.runs.scheduled import schedule, unschedule
from desks.evaluation.web.forms import MoreForm, NewSetForm, QuestionForm, ScheduleForm
from desks.evaluation.web.made_in_words import made_in_words
from localization.numbers import numeral
from providers.roles import ModelRole, endpoint

PER_PAGE = 50


def set_of(request: HttpRequest, pk: int, question_set: int, needed: Role = Role.VIEWER) -> QuestionSet:
    """Raises Http404 (stranger, no such set), PermissionDenied (low role)."""
    datasource = datasource_for(request, pk, needed)
    rows = QuestionSet.objects.select_related("datasource")
    return get_object_or_404(rows, datasource=datasource, pk=question_set)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question_sets(request: HtmxRequest, pk: int) -> HttpResponse:
    """All sets; POST makes one, with questions that are made or imported."""
    posted = request.method == "POST"
    datasource = datasource_for(request, pk, Role.EDITOR if posted else Role.VIEWER)
    form = NewSetForm(request.POST, request.FILES) if posted else NewSetForm()
    if posted and form.is_valid():
        try:
            drafts = _imported(datasource, form)
            with transaction.atomic():  # a set that could not be filled is not left behind
                made = create_set(datasource, form.cleaned_data["name"], signed_in(request))
                _fill(made, form, drafts, request)
        except ValidationError as refusal:
            form.add_error("name" if getattr(refusal, "code", "") == "taken" else None, refusal)
        else:
            return redirect("question_set", pk, made.pk)
    context = bar(datasource, "evaluation") | {
        "sets": datasource.question_sets.with_counts(),
        "form": form,
        "can_edit": can_edit(request, datasource),
        "has_model": endpoint(datasource, ModelRole.AGENT) is not None,
    }
    return render(request, "evaluation/sets.html", context, status=422 if posted else 200)


def _imported(datasource: Datasource, form: NewSetForm | MoreForm) -> list[Draft]:
    file = form.cleaned_data.get("file")
    return read(file.name, file.read(), datasource) if file else []


def _fill(made: QuestionSet, form: NewSetForm | MoreForm, drafts: list[Draft], request: HtmxRequest) -> None:
    """Add what was imported, or order what is to be made."""
    if drafts:
        messages.success(request, str(import_questions(made, drafts, signed_in(request))))
    elif any(form.counts.values()) or isinstance(form, MoreForm):  # a new set may be left empty
        told = form.cleaned_data
        order_questions(
            made,
            form.counts,
            signed_in(request),
            by_model=told["by_model"],
            token_budget=told["token_budget"],
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question_set(request: HtmxRequest, pk: int, question_set: int) -> HttpResponse:
    """One set; POST adds questions that are made or imported."""
    posted = request.method == "POST"
    row = set_of(request, pk, question_set, Role.EDITOR if posted else Role.VIEWER)
    form = MoreForm(request.POST, request.FILES) if posted else MoreForm()
    if posted and form.is_valid():
        try:
            _fill(row, form, _imported(row.datasource, form), request)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            return redirect("question_set", pk, row.pk)
    kind = request.GET.get("kind", "")
    words = request.GET.get("q", "")[:200]
    questions = row.questions.current().prefetch_related("gold").order_by("-proposed", "pk")
    shown = questions.filter(text__icontains=words) if words else questions
    shown = shown.filter(kind=kind) if kind in Kind.values else shown
    shown = shown.filter(gold__is_stale=True).distinct() if kind == "stale" else shown
    counts = {each.value: questions.filter(kind=each).count() for each in Kind}
    plan = Schedule.objects.filter(question_set=row).first()
    context = bar(row.datasource, "evaluation") | {
        "set": row,
        "form": form,
        "page": Paginator(shown, PER_PAGE).get_page(request.GET.get("page")),
        "kind": kind,
        "words": words,
        "kinds": [(each, counts[each.value]) for each in Kind],
        "total": sum(counts.values()),
        "stale": questions.filter(gold__is_stale=True).distinct().count(),
        "can_edit": can_edit(request, row.datasource),
        "has_model": endpoint(row.datasource, ModelRole.AGENT) is not None,
        "runs": row.runs.all()[:8],
        "made": made_in_words(row.made),
        "plan": plan,
        "plan_form": ScheduleForm(initial=model_to_dict(plan) if plan else None),
        "has_judge": judge_of(row.datasource) is not None,
    }
    return render(request, "evaluation/set.html", context, status=422 if posted else 200)


def _set_page(pk: int, question_set: int, **_: object) -> str:
    return reverse("question_set", args=[pk, question_set])


@login_required
@posted_from(_set_page)
def change_set(request: HtmxRequest, pk: int, question_set: int) -> HttpResponse:
    """`action`: delete the set, or look for its quotes again."""
    row = set_of(request, pk, question_set, Role.EDITOR)
    match request.POST.get("action"):
        case "delete":
            delete_set(row)
            messages.success(request, _("“{set}” deleted with its questions and runs.").format(set=row))
            return redirect("question_sets", pk)
        case "look_again":
            stale = look_again(row)
            told = ngettext("{n} question is stale.", "{n} questions are stale.", stale).format(n=stale)
            messages.success(request, told if stale else _("Every quote was found."))
        case "propose":
            count = propose_rated(row, signed_in(request))
            if count:
                told = ngettext(
                    "{n} question is proposed. Look at the answer and quotes of each.",
                    "{n} questions are proposed. Look at the answer and quotes of each.",
                    count,
                )
                messages.success(request, told.format(n=count))
            else:
                nothing = _("You have not rated any answer whose question is not in the set yet.")
                messages.info(request, nothing)
    return redirect("question_set", pk, row.pk)


@login_required
@posted_from(_set_page)
def change_schedule(request: HtmxRequest, pk: int, question_set: int) -> HttpResponse:
    """`action` save: run it after each upload; off: do not."""
    row = set_of(request, pk, question_set, Role.EDITOR)
    if request.POST.get("action") == "off":
        unschedule(row)
        messages.success(request, _("“{set}” no longer runs by itself.").format(set=row))
        return redirect("question_set", pk, row.pk)
    form = ScheduleForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return redirect("question_set", pk, row.pk)
    try:
        schedule(row, signed_in(request), **form.cleaned_data)
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
    else:
        messages.success(request, _("“{set}” now runs after each upload.").format(set=row))
    return redirect("question_set", pk, row.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_question(request: HtmxRequest, pk: int, question_set: int, key: UUID | None = None) -> HttpResponse:
    """A question of the set, or a new one."""
    row = set_of(request, pk, question_set, Role.EDITOR)
    old = get_object_or_404(row.questions.current().prefetch_related("gold"), key=key) if key else None
    initial = {"text": old.text, "kind": old.kind, "reference": old.reference} if old else None
    form = QuestionForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            _save(request, row, old, form)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("Saved as a new version of the set."))
            return redirect("question_set", pk, row.pk)
    gold = _posted_gold(request) if request.method == "POST" else _gold_of(old)
    context = bar(row.datasource, "evaluation") | {
        "set": row,
        "form": form,
        "question": old,
        "gold": [*gold, *[("", "", "")] * max(1, 3 - len(gold))],
        "documents": row.datasource.documents.ready().order_by("title"),
    }
    refused = request.method == "POST"
    return render(request, "evaluation/edit_question.html", context, status=422 if refused else 200)


def _gold_of(question: Question | None) -> list[tuple[str, str, str]]:
    """Document, quote and piece, from 1."""
    if question is None:
        return []
    return [(str(gold.document_id or ""), gold.quote, str(gold.piece + 1)) for gold in question.gold.all()]


def _posted_gold(request: HtmxRequest) -> list[tuple[str, str, str]]:
    columns = (request.POST.getlist(name) for name in ("document", "quote", "piece"))
    rows = zip(*columns, strict=False)
    told = [(document, quote.strip(), piece.strip()) for document, quote, piece in rows]
    return [(document, quote, piece) for document, quote, piece in told if document or quote]


def _save(request: HtmxRequest, row: QuestionSet, old: Question | None, form: Form) -> None:
    """Raises ValidationError, among others for words that are not in the document."""
    told, kind = form.cleaned_data, Kind(form.cleaned_data["kind"])
    titles = dict(row.datasource.documents.current().values_list("pk", "title"))
    proofs = []
    for place, (document, quote, piece) in enumerate(_posted_gold(request)):
        if not document:
            unnamed = _("Choose the document that has these words: “{quote}”.")
            raise ValidationError(unnamed.format(quote=quote[:80]))
        number = int(document) if document.isdecimal() and len(document) < 19 else 0
        if number not in titles:
            raise ValidationError(_("One of the documents is not in this datasource any more. Choose again."))
        part = int(piece) - 1 if piece.isdecimal() and len(piece) < 3 and int(piece) else place
        proofs.append(Proof(document_id=number, title=titles[number], quote=quote, piece=part))
    if kind == Kind.NONE and proofs:
        raise ValidationError(_("A no-source question has no quotes: remove them, or choose another kind."))
    if kind == Kind.MULTI and len({proof.piece for proof in proofs}) < 2:
        raise ValidationError(_("A multi-source question needs two pieces: number its quotes 1 and 2."))
    if kind == Kind.SINGLE and not proofs:
        raise ValidationError(_("A single-source question needs the quote that answers it."))
    person = signed_in(request)
    if old:
        new = change_question(
            old, kind=kind, text=told["text"], reference=told["reference"], proofs=proofs, author=person
        )
    else:
        draft = Draft(kind=kind, text=told["text"], reference=told["reference"], proofs=tuple(proofs))
        new = add_questions(row, [draft], Origin.PERSON, author=person)[0]
    if stale := new.gold.filter(is_stale=True).first():
        words = _("These words are not in {document}: “{quote}”.")
        messages.error(request, words.format(document=stale.document_title, quote=stale.quote[:80]))


@login_required
@posted_from(_set_page)
def remove(request: HtmxRequest, pk: int, question_set: int) -> HttpResponse:
    """Take questions out; their results in earlier runs stay."""
    row = set_of(request, pk, question_set, Role.EDITOR)
    keys = []
    for written in request.POST.getlist("key"):
        try:
            keys.append(UUID(written))
        except ValueError:
            continue
    count = remove_questions(row, keys)
    gone = ngettext(
        "{n} question removed. Earlier runs keep their results.",
        "{n} questions removed. Earlier runs keep their results.",
        count,
    )
    messages.success(request, gone.format(n=numeral(count)))
    return redirect("question_set", pk, row.pk)


@login_required
@require_safe
def export_set(request: HtmxRequest, pk: int, question_set: int, form: str) -> HttpResponse:
    """As jsonl, csv, or beir (a zip)."""
    row = set_of(request, pk, question_set)
    if form not in FORMS:
        raise Http404
    maker, kind, ending = FORMS[form]
    return HttpResponse(
        maker(row),
        content_type=kind,
        headers={"Content-Disposition": f'attachment; filename="questions-{row.pk}.{ending}"'},
    )
