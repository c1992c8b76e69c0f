"""The notebook of a datasource: keeping, reading and removing answers and quotes."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import trigger_client_event

from chat import notebook as notes
from chat.models import Note
from chat.web.answers import rendering
from chat.web.lookup import find_citation, find_turn
from chat.web.replies import conflict
from citations.marks import numbered
from datasources.models import Role
from datasources.web.pages import HtmxRequest, bar, datasource_for, page_of_datasource, posted_from, signed_in

PAGE = 50  # notes


@login_required
@require_safe
def notebook(request: HtmxRequest, pk: int) -> HttpResponse:
    """All notes, newest first."""
    datasource = datasource_for(request, pk)
    shown = Paginator(datasource.notes.select_related("author"), PAGE).get_page(request.GET.get("page"))
    context = bar(datasource, "chat") | {
        "notes": list(map(_shown, shown, notes.sources_now(pk, list(shown)))),
        "page": shown,
        "can_edit": notes.may_write(signed_in(request), datasource),
    }
    return render(request, "chat/notebook.html", context)


def _shown(note: Note, sources: list[dict[str, Any]]) -> dict[str, object]:
    """A note with its text as safe HTML, [n] where source n stands; a source whose quote the text has needs
    none of its own.
    """
    said = " ".join(note.text.split())
    for source in sources:
        source["is_said"] = " ".join(source["quote"].split()) in said
    return {"note": note, "html": _html(note), "sources": sources}


def _html(note: Note) -> list[SafeString]:
    text = numbered(note.text, notes.quotes_of(note))
    return [mark_safe(block) for block in rendering.blocks(text)]  # cleaned by rendering


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def keep_answer(request: HtmxRequest, turn: UUID) -> HttpResponse:
    kept = find_turn(request, turn, Role.VIEWER)
    return _keep(
        request, kept.conversation.datasource_id, lambda: notes.keep_answer(signed_in(request), kept)
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def keep_quote(request: HtmxRequest, turn: UUID, n: int) -> HttpResponse:
    citation = find_citation(request, turn, n, Role.VIEWER)
    datasource = citation.turn.conversation.datasource_id
    return _keep(request, datasource, lambda: notes.keep_quote(signed_in(request), citation))


def _keep(request: HtmxRequest, datasource: int, keep: Callable[[], Note]) -> HttpResponse:
    """Editors write in the notebook; GET, which a reload may send, only shows it."""
    if request.method != "POST":
        return redirect("notebook", datasource)
    where = datasource_for(request, datasource, Role.EDITOR)
    try:
        keep()
    except ValidationError as error:
        return conflict(" ".join(error.messages))
    said = _("Kept in the notebook, for all who read {name}.").format(name=where.name)
    if request.htmx:
        return trigger_client_event(HttpResponse(status=204), "toast", {"text": said})
    messages.success(request, said)
    return redirect("notebook", datasource)


@login_required
@posted_from(page_of_datasource("notebook"))
def change_note(request: HtmxRequest, pk: int, note: int) -> HttpResponse:
    """Change the remark on a note, or delete the note with the button `remove`."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    changed = get_object_or_404(datasource.notes, pk=note)
    if "remove" in request.POST:
        changed.delete()
        messages.success(request, _("Removed from the notebook."))
    else:
        try:
            notes.remark(changed, request.POST.get("remark", ""))
            messages.success(request, _("The remark is saved."))
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
    return redirect("notebook", pk)


@login_required
@require_safe
def export_notebook(request: HtmxRequest, pk: int) -> HttpResponse:
    """All notes as a Markdown file."""
    return notes.notebook_file(datasource_for(request, pk))
