"""A datasource's connected sources, for its owners: the list, a new one, what became of the files of one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from datasources.models import Datasource, Role
from datasources.numbers import limited
from datasources.settings.frame import frame_of
from datasources.web.forms import focus_first_error, refuse
from datasources.web.pages import HtmxRequest, datasource_for, signed_in
from exchange.connectors import services, trying
from exchange.connectors.kinds.folder import FOLDER
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.kinds.registry import ALL, kind_of
from exchange.connectors.models import Connector
from exchange.connectors.readers import knows
from exchange.connectors.web.forms import ChangeForm, ConnectForm, CounterpartsForm, HowForm
from settings_pages.asking import Question, ask

LARGEST = 2**31 - 1
SHOWN = 100  # files that were not taken
# By the code of a refusal.
FIELDS = {
    **dict.fromkeys(("place", "place_taken", "administrators", "unreachable"), "place"),
    "secret": "secret",
}
NOT_TAKEN = Q(files__refusal__gt="")
KEPT = Q(files__document__isnull=False, files__is_withheld=False)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def connectors(request: HtmxRequest, pk: int) -> HttpResponse:
    """POST connects one. ?kind= is that of the form; without it, there is none yet."""
    datasource = datasource_for(request, pk, Role.OWNER)
    given = request.POST or request.GET
    kind = given.get("kind", Kind.WEBDAV)
    if kind not in Kind:
        return HttpResponseBadRequest(_("There is no such kind of source."), content_type="text/plain")
    form = ConnectForm(request.POST or None)
    form.name_fields(kind)
    if request.method == "POST" and form.is_valid():
        try:
            made = trying.connect(datasource, kind, by=signed_in(request), **form.cleaned_data)
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            messages.success(request, _("It is connected. Its first look has begun."))
            return redirect("connector", pk, made.pk)
    if form.errors:
        focus_first_error(form)
    rows = datasource.connectors.annotate(documents=Count("files", KEPT), not_taken=Count("files", NOT_TAKEN))
    context: dict[str, Any] = {
        **_framed(request, datasource),
        "form": form,
        "kind": Kind(kind) if "kind" in given else None,
        "off": f"{_(off.message)} {_(off.hint)}" if (off := form.kind.why_off()) else "",
        "kinds": [each.kind for each in ALL if each is not FOLDER or signed_in(request).is_superuser],
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
            question = _whether_to_disconnect(row)
            return ask(request, question, address=address, back=address, fields={"action": "disconnect"})
        if request.GET.get("ask") == "let_go" and row.gone:
            fields = {"action": "let_go", "may_go": str(row.gone)}
            return ask(request, _whether_to_let_go(row.gone), address=address, back=address, fields=fields)
        return _page(request, row, _filled(row))
    action = request.POST.get("action", "")
    if action == "save":
        return _saved(request, row)
    if action == "readers":
        return _readers_saved(request, row)
    if action == "disconnect":
        services.disconnect(row)
        stay = not kind_of(row.kind).tells_readers
        said = _("It is disconnected. Its documents stay.") if stay else _("It is disconnected.")
        messages.success(request, said)
        return redirect("connectors", pk)
    return _done(request, row, action) or redirect("connector", pk, connector)


def _whether_to_disconnect(row: Connector) -> Question:
    stay = _(
        "Its documents stay here, and its password is forgotten. What changes there is no longer followed. "
        "To stop that for a while, switch it off."
    )
    go = _(
        "Its documents are deleted here, as nobody would ask any more who may read them there. To stop "
        "following it for a while, switch it off."
    )
    return Question(
        heading=_("Disconnect it?"),
        consequence=go if kind_of(row.kind).tells_readers else stay,
        button=_("Disconnect it"),
    )


def _whether_to_let_go(gone: int) -> Question:
    heading = ngettext("Delete {n} document?", "Delete {n} documents?", gone)
    return Question(
        heading=heading.format(n=gone),
        consequence=_(
            "Their files are no longer there. The next look deletes them here, with what was made of them; "
            "if by then more are missing, none is deleted. Later looks ask again."
        ),
        button=_("Delete them"),
    )


def _framed(request: HtmxRequest, datasource: Datasource, address: str = "") -> dict[str, Any]:
    return frame_of(request, datasource, "webhooks", _("Connected sources"), address)


def _page(
    request: HtmxRequest, row: Connector, form: HowForm, readers: CounterpartsForm | None = None
) -> HttpResponse:
    form.name_fields(row.kind)
    counts = row.files.aggregate(
        documents=Count("pk", Q(document__isnull=False, is_withheld=False)),
        not_taken=Count("pk", Q(refusal__gt="")),
        withheld=Count("pk", Q(is_withheld=True)),
    )
    context = {
        **_framed(request, row.datasource, reverse("connectors", args=[row.datasource_id])),
        "connector": row,
        "form": form,
        "keeps": _("Leave it empty to keep the one there is.") if row.encrypted_secret else "",
        "tells_readers": form.kind.tells_readers,
        "readers": readers or CounterpartsForm(row),
        "refused": row.files.refused().named_to(signed_in(request))[:SHOWN],
        "knows": knows(signed_in(request), row),
        **counts,
    }
    is_refused = form.errors or (readers and readers.errors)
    return render(request, "connectors/connector.html", context, status=422 if is_refused else 200)


def _form_of(row: Connector) -> type[HowForm]:
    """The address can be changed until a file has come from there."""
    return HowForm if row.files.exists() else ChangeForm


def _filled(row: Connector) -> HowForm:
    names = ("place", *services.TEXTS, "every", "deletes")
    return _form_of(row)(initial={name: getattr(row, name) for name in names})


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
    messages.success(request, _("Saved."))
    return redirect("connector", row.datasource_id, row.pk)


def _readers_saved(request: HtmxRequest, row: Connector) -> HttpResponse:
    form = CounterpartsForm(row, request.POST)
    if not form.is_valid():
        return _page(request, row, _filled(row), form)
    try:
        services.say_who_may_read(row, form.groups, by=signed_in(request))
        messages.success(request, _("Saved."))
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
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
            messages.success(request, _("It is switched off. What is here stays."))
        else:
            return HttpResponseBadRequest(_("There is no such action."), content_type="text/plain")
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return None
