"""The page of installed models, where administrators install and choose them for all datasources."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from localization.lists import joined
from localization.stored import retold
from providers.connections.dialects import dialect_of, is_known
from providers.gguf import memory
from providers.health import health_of
from providers.local_models import choice, services, store
from providers.local_models.errors import NotInstalled
from providers.local_models.install import HUB, Plan, Wish, plan
from providers.local_models.known import KNOWN
from providers.local_models.models import Installation
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed
from providers.measuring import defer_measuring
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.roles import Endpoint, ModelRole, endpoint, of_environment
from providers.web.administrators import administrators_only
from providers.web.connected import is_number
from providers.web.forms import ROLES as JOBS
from providers.web.forms import USUAL_TIMEOUT

ROLES = {
    LocalRole.CHAT: (
        _("Language model"),
        _("Writes answers, reads for the graph, gives a second opinion on claims"),
        _("None: answers are quotes"),
    ),
    LocalRole.EMBEDDINGS: (
        _("Finding by meaning"),
        _("Embeds questions and passages"),
        format_lazy(_("{model}, which comes with SVQ"), model=LOCAL_EMBEDDER),
    ),
    LocalRole.RERANK: (
        _("Sorting what was found"),
        _("A second look at the best passages (reranking)"),
        _("None"),
    ),
    LocalRole.ENTAILMENT: (
        _("Second reader"),
        _(
            "It can confirm a claim that the check by code leaves open, and withdraw a confirmation "
            "(entailment)"
        ),
        _("None: the check by code alone"),
    ),
}
IN_SENTENCE = {
    LocalRole.CHAT: pgettext_lazy("a job of a model, within a sentence", "language model"),
    LocalRole.EMBEDDINGS: pgettext_lazy("a job of a model, within a sentence", "finding by meaning"),
    LocalRole.RERANK: pgettext_lazy("a job of a model, within a sentence", "sorting what was found"),
    LocalRole.ENTAILMENT: pgettext_lazy("a job of a model, within a sentence", "second reader"),
}


class WishForm(forms.Form):
    """What to install. Folders of this server are for the command line."""

    role = forms.ChoiceField(choices=[(role.value, told[0]) for role, told in ROLES.items()], label=_("Job"))
    name = forms.CharField(max_length=193, label=_("Name"))
    address = forms.CharField(max_length=500, required=False, label=_("Address"))
    revision = forms.CharField(max_length=100, required=False, label=_("Revision"))
    graph = forms.CharField(max_length=300, required=False, label=_("ONNX or GGUF file"))
    use = forms.BooleanField(required=False)

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"].strip()
        if address and not address.startswith(("https://", "http://")):
            raise forms.ValidationError(
                _("Give an address that begins with https://, or leave it empty for the hub.")
            )
        return address

    def asked(self) -> str:
        """All that decides what is fetched, in one text."""
        return "|".join(self.cleaned_data[name] for name in ("role", "name", "address", "revision", "graph"))

    def wish(self, commit: str = "") -> Wish:
        """Once the form is valid. commit: the one that was shown."""
        given = self.cleaned_data
        return Wish(
            role=LocalRole(given["role"]),
            name=given["name"].strip(),
            origin=given["address"] or HUB,
            revision=commit or given["revision"].strip(),
            graph=given["graph"].strip(),
            public_only=True,
        )


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def installed_models(request: HttpRequest) -> HttpResponse:
    """What is installed and on its way; a form that shows what would be fetched before it is."""
    if request.method != "POST":
        first = {"role": request.GET.get("role", ""), "name": request.GET.get("name", ""), "use": True}
        return _page(request, WishForm(initial=first))
    form = WishForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    # What was changed since it was shown is shown again before it is installed.
    installs = "install" in request.POST and request.POST.get("shown") == form.asked()
    try:
        planned = plan(form.wish(request.POST.get("commit", "") if installs else ""))
    except NotInstalled as error:
        return _page(request, form, failure=retold(error.message), status=422)
    if not installs:
        return _page(request, form, planned=planned)
    row = services.begin(planned, use=form.cleaned_data["use"])
    messages.success(request, gettext("{model} is being installed.").format(model=row.name))
    return redirect(f"{reverse('installed_models')}#installed")


@require_safe
@administrators_only
def state(request: HttpRequest) -> HttpResponse:
    """The table, while something is on its way."""
    return render(request, "providers/_installed.html", _table())


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def use(request: HttpRequest) -> HttpResponse:
    """Choose an installed model, a language model for one of its jobs; without one, what comes with SVQ."""
    if request.method != "POST":
        return redirect("installed_models")
    role = _role(request.POST.get("role", ""))
    model = store.find(role, request.POST.get("model", "")) if role else None
    if role and model:
        try:
            choice.use(model, _job_of(role, request.POST.get("job")))
            told = gettext("{model} is in use.").format(model=model.name)
            messages.success(request, f"{told} {gettext(choice.THEN[role])}")
        except NotInstalled as error:
            messages.error(request, retold(error.message))
    elif role and not request.POST.get("model"):
        choice.stop_using(role)
        told = gettext("No installed model is used for {job} any more.")
        messages.success(request, told.format(job=IN_SENTENCE[role]))
    return redirect("installed_models")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def measure(request: HttpRequest) -> HttpResponse:
    """Find out once more how fast the language model is, and what it can do."""
    if request.method == "POST" and choice.wanted():
        defer_measuring()
        told = gettext("The language model is tested in the background. This takes some minutes.")
        messages.success(request, told)
    return redirect("installed_models")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def change(request: HttpRequest) -> HttpResponse:
    """Try a failed installation again, or stop and forget one."""
    if request.method != "POST":
        return redirect("installed_models")
    number = request.POST.get("number", "")
    row = Installation.objects.filter(pk=number).first() if is_number(number) else None
    if row and "retry" in request.POST:
        services.retry(row)
    elif row:
        services.dismiss(row)
        messages.success(request, gettext("{model} is not installed.").format(model=row.name))
    return redirect("installed_models")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def remove(request: HttpRequest) -> HttpResponse:
    """Confirm, then delete the files of a model that nothing needs."""
    asked = request.POST if request.method == "POST" else request.GET
    role = _role(asked.get("role", ""))
    model = store.find(role, asked.get("model", "")) if role else None
    if model is None:
        return redirect("installed_models")
    if request.method != "POST":
        context = {"model": model, "needed": services.needed_by(model)}
        return render(request, "providers/remove_model.html", context)
    try:
        services.remove(model)
        messages.success(request, gettext("{model} is removed.").format(model=model.name))
    except NotInstalled as error:
        messages.error(request, retold(error.message))
    return redirect(f"{reverse('installed_models')}#installed")


def _page(
    request: HttpRequest, form: WishForm, *, planned: Plan | None = None, failure: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "tab": "account",
        "form": form,
        "planned": planned,
        "failure": failure,
        "shown": form.asked() if planned else "",
        "known": _known(),
        **_table(),
    }
    return render(request, "providers/installed_models.html", context, status=status)


def _table() -> dict[str, Any]:
    coming = list(Installation.objects.all())
    return {
        "jobs": [_job(role, coming) for role in ROLES],
        "is_coming": any(row.is_unfinished for row in coming),
    }


def _job(role: LocalRole, coming: list[Installation]) -> dict[str, Any]:
    name, does, instead = ROLES[role]
    usual = ModelRole(role.plays[0])
    used, server = choice.used(role), endpoint(None, usual)
    models: list[Installed] = store.installed(role)
    return {
        "role": role,
        "name": name,
        "in_sentence": IN_SENTENCE[role],
        "does": does,
        "instead": instead,
        "used": used,
        "models": [(model, _needs(model)) for model in models],
        "coming": [row for row in coming if row.role == role],
        "server": server if server and not server.is_installed else None,
        "is_missing": bool(used) and used not in {model.identity for model in models},
        "by_environment": of_environment(usual) is not None,
        **(_of_language_model(used) if used and role == LocalRole.CHAT else {}),
    }


def _of_language_model(used: str) -> dict[str, Any]:
    """How the one that is used does."""
    server = Endpoint(base_url="", api_key="", model=used, timeout=USUAL_TIMEOUT)
    jobs = {str(job): str(told[0]) for job, told in JOBS.items()}
    jobs[choice.TO_CHOOSE_FROM] = gettext("to choose from")
    plays = [jobs[role] for role in choice.roles_of(used)]
    return {
        "plays": joined(plays),
        "health": health_of(server, ModelRole.AGENT),
        "dialect": dialect_of("", used),
        "is_measured": is_known("", used),
    }


def _needs(model: Installed) -> str:
    """What a language model takes, in words, also why it can't run; "" for other models."""
    if model.role != LocalRole.CHAT:
        return ""
    try:
        return choice.needs(model)
    except NotInstalled as error:
        return retold(error.message)


def _known() -> list[dict[str, Any]]:
    here = {(model.role, model.name) for model in store.installed()}
    return [
        {
            "model": each,
            "job": ROLES[each.role][0],
            "is_here": (each.role, each.repository) in here,
            "size": memory.gigabytes(each.size),
            "memory": memory.gigabytes(each.memory),
        }
        for each in KNOWN.values()
    ]


def _job_of(role: LocalRole, text: str | None) -> str | None:
    """One that a model of that role may have; None for the usual one."""
    return text if role == LocalRole.CHAT and text in (*role.plays, choice.TO_CHOOSE_FROM) else None


def _role(text: str) -> LocalRole | None:
    return LocalRole(text) if text in set(LocalRole) else None
