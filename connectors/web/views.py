"""A datasource's connected folders, for its owners: the list, a new one, what became of the files of one."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from connectors import services, trying
from connectors.models import Connector, Kind
from connectors.web.forms import ChangeForm, ConnectForm, HowForm
from datasources.models import Datasource, Role
from datasources.numbers import limited
from datasources.settings.frame import frame_of
from datasources.web.forms import focus_first_error, refuse
from datasources.web.pages import HtmxRequest, datasource_for, signed_in
from ingestion.web_pages.adding import OFF
from settings_pages.asking import Question, ask
from text.counted import counted

LARGEST = 2**31 - 1
SHOWN = 100  # files that were not taken
# By the code of a refusal.
FIELDS = {
    **dict.fromkeys(("place", "place_taken", "administrators", "unreachable"), "place"),
    "secret": "secret",
}
NOT_TAKEN = Q(files__refusal__gt="")
KEPT = Q(files__document__isnull=False)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def connectors(request: HtmxRequest, pk: int) -> HttpResponse:
    """POST connects one. ?kind= is that of the form."""
    datasource = datasource_for(request, pk, Role.OWNER)
    given = request.POST or request.GET
    kind = given.get("kind", Kind.WEBDAV)
    if kind not in Kind:
        return HttpResponseBadRequest("There is no such kind of folder.", content_type="text/plain")
    form = ConnectForm(request.POST or None)
    form.name_fields(kind)
    if request.method == "POST" and form.is_valid():
        try:
            made = trying.connect(datasource, kind, by=signed_in(request), **form.cleaned_data)
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            messages.success(request, "The folder is kept. Whether it can be reached shows here in a moment.")
            return redirect("connector", pk, made.pk)
    if form.errors:
        focus_first_error(form)
    rows = datasource.connectors.annotate(documents=Count("files", KEPT), not_taken=Count("files", NOT_TAKEN))
    context: dict[str, Any] = {
        **_framed(request, datasource),
        "form": form,
        "kind": Kind(kind),
        "off": f"{OFF} {services.SITE_ADVICE}" if kind == Kind.SITE and not settings.FETCH_WEB_PAGES else "",
        "kinds": [each for each in Kind if each != Kind.FOLDER or signed_in(request).is_superuser],
        "connectors": rows,
        "is_working": any(row.is_unfinished for row in rows),
    }
    return render(request, "connectors/connectors.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def connector(request: HtmxRequest, pk: int, connector: int) -> HttpResponse:
    """How it stands; POST does what `action` names, ?ask=disconnect is the question whether to."""
    datasource = datasource_for(request, pk, Role.OWNER)
    row = get_object_or_404(datasource.connectors, pk=connector)
    if request.method != "POST":
        address = reverse("connector", args=[pk, connector])
        if request.GET.get("ask") == "disconnect":
            return ask(
                request, WHETHER_TO_DISCONNECT, address=address, back=address, fields={"action": "disconnect"}
            )
        if request.GET.get("ask") == "let_go" and row.gone:
            fields = {"action": "let_go", "may_go": str(row.gone)}
            return ask(request, _whether_to_let_go(row.gone), address=address, back=address, fields=fields)
        names = ("place", "user_name", "region", "every", "deletes")
        form = _form_of(row)(initial={name: getattr(row, name) for name in names})
        return _page(request, row, form)
    action = request.POST.get("action", "")
    if action == "save":
        return _saved(request, row)
    if action == "disconnect":
        services.disconnect(row)
        messages.success(request, "The folder is disconnected. Its documents stay.")
        return redirect("connectors", pk)
    return _done(request, row, action) or redirect("connector", pk, connector)


WHETHER_TO_DISCONNECT = Question(
    heading="Disconnect the folder?",
    consequence="Its documents stay here, and its password is forgotten. What changes there is no longer "
    "followed. To stop that for a while, switch it off.",
    button="Disconnect the folder",
)


def _whether_to_let_go(gone: int) -> Question:
    return Question(
        heading=f"Delete {counted(gone, 'document')}?",
        consequence="Their files are no longer in the folder. The next look deletes them here, with what was "
        "made of them; if by then more are missing, none is deleted. Later looks ask again.",
        button="Delete them",
    )


def _framed(request: HtmxRequest, datasource: Datasource, address: str = "") -> dict[str, Any]:
    return frame_of(request, datasource, "webhooks", "Connected folders", address)


def _page(request: HtmxRequest, row: Connector, form: HowForm) -> HttpResponse:
    form.name_fields(row.kind)
    counts = row.files.aggregate(
        documents=Count("pk", Q(document__isnull=False)), not_taken=Count("pk", Q(refusal__gt=""))
    )
    context = {
        **_framed(request, row.datasource, reverse("connectors", args=[row.datasource_id])),
        "connector": row,
        "form": form,
        "keeps": "Leave it empty to keep the one there is." if row.encrypted_secret else "",
        "refused": row.files.refused()[:SHOWN],
        **counts,
    }
    return render(request, "connectors/connector.html", context, status=422 if form.errors else 200)


def _form_of(row: Connector) -> type[HowForm]:
    """The address can be changed until a file has come from there."""
    return HowForm if row.files.exists() else ChangeForm


def _saved(request: HtmxRequest, row: Connector) -> HttpResponse:
    form = _form_of(row)({"place": row.place, **request.POST.dict()})
    form.name_fields(row.kind)
    if not form.is_valid():
        focus_first_error(form)
        return _page(request, row, form)
    changed = form.cleaned_data
    if not changed.get("secret"):  # an empty field keeps the one there is
        changed.pop("secret", None)
    try:
        trying.check_change(row, changed, signed_in(request))
        services.change(row, **changed)
    except ValidationError as refusal:
        if refusal.code not in FIELDS:  # disconnected meanwhile
            messages.error(request, refusal.messages[0])
            return redirect("connectors", row.datasource_id)
        refuse(form, refusal, FIELDS)
        return _page(request, row, form)
    messages.success(request, "Saved.")
    return redirect("connector", row.datasource_id, row.pk)


def _done(request: HtmxRequest, row: Connector, action: str) -> HttpResponse | None:
    """What a button does; an answer only where there is no such button."""
    try:
        if action == "look":
            services.look_now(row)
        elif action == "let_go":
            services.look_now(row, may_go=limited(request.POST.get("may_go"), 0, LARGEST))
        elif action == "switch_on":
            services.switch_on(row)
        elif action == "switch_off":
            services.switch_off(row)
            messages.success(request, "It is switched off. What is here stays.")
        else:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return None
