"""A datasource's webhooks, for its owners: the list, a new one, and what was sent to one."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from datasources.models import Datasource, Role
from datasources.numbers import uuid_in
from datasources.settings.frame import frame_of
from datasources.web.forms import refuse
from datasources.web.pages import HtmxRequest, datasource_for, signed_in
from exchange.webhooks import services
from exchange.webhooks.models import CHOSEN, Webhook, WhyOff
from settings_pages.asking import Question, ask
from settings_pages.refusals import OFFERED, always_says

SHOWN = 100  # deliveries


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=_("Address"),
        max_length=services.LONGEST,
        widget=forms.URLInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("What it is notified of"),
        choices=[(kind.value, kind.label) for kind in CHOSEN],
        initial=[kind.value for kind in CHOSEN],
        error_messages=always_says(OFFERED) | {"required": _("Choose what it is notified of.")},
        widget=forms.CheckboxSelectMultiple(attrs={"class": "check"}),
    )


NEW = "new_webhook"  # in the session, from the form to the page that shows the secret, once
FIELDS = {"address": "address", "kinds": "kinds"}  # by the code of a refusal
SOON = timedelta(minutes=1)  # so long before an attempt the page begins to look for its answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HtmxRequest, pk: int) -> HttpResponse:
    """POST makes one; then the page shows its secret, once."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            hook, secret = services.make_webhook(datasource, **form.cleaned_data, by=signed_in(request))
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            request.session[NEW] = {"webhook": hook.pk, "secret": secret}
            return redirect("webhooks", pk)
    hooks = list(datasource.webhooks.all())
    new = request.session.get(NEW, {})
    is_shown = request.method == "GET" and new.get("webhook") in [hook.pk for hook in hooks]
    context: dict[str, Any] = {
        **_framed(request, datasource),
        "form": form,
        "hooks": hooks,
        "secret": request.session.pop(NEW)["secret"] if is_shown else "",
    }
    return render(request, "webhooks/webhooks.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HtmxRequest, pk: int, webhook: int) -> HttpResponse:
    """What was sent; POST does what `action` names, ?ask=delete is the question whether to."""
    datasource = datasource_for(request, pk, Role.OWNER)
    hook = get_object_or_404(datasource.webhooks, pk=webhook)
    if request.method != "POST":
        address = reverse("webhook", args=[pk, webhook])
        if request.GET.get("ask") == "delete":
            return ask(request, WHETHER_TO_DELETE, address=address, back=address, fields={"action": "delete"})
        return _page(request, hook, WebhookForm(initial={"address": hook.address, "kinds": hook.kinds}))
    action = request.POST.get("action", "")
    if action == "save":
        return _saved(request, hook)
    if action == "delete":
        hook.delete()
        messages.success(request, gettext("The webhook is deleted."))
        return redirect("webhooks", pk)
    return _done(request, hook, action) or redirect("webhook", pk, webhook)


WHETHER_TO_DELETE = Question(
    heading=_("Delete the webhook?"),
    consequence=_(
        "Its secret is lost, and so is the list of what was sent; what waits is not sent. Another "
        "one has another secret. To stop it for a while, switch it off. This cannot be undone."
    ),
    button=_("Delete the webhook"),
)


def _framed(request: HtmxRequest, datasource: Datasource, address: str = "") -> dict[str, Any]:
    return frame_of(request, datasource, "webhooks", gettext("Webhooks"), address)


def _page(request: HtmxRequest, hook: Webhook, form: WebhookForm) -> HttpResponse:
    deliveries = list(hook.deliveries.all()[:SHOWN])
    soon = timezone.now() + SOON
    context = {
        **_framed(request, hook.datasource, reverse("webhooks", args=[hook.datasource_id])),
        "hook": hook,
        "form": form,
        "deliveries": deliveries,
        "is_waiting": any(each.next_attempt and each.next_attempt < soon for each in deliveries),
    }
    return render(request, "webhooks/webhook.html", context, status=422 if form.errors else 200)


def _saved(request: HtmxRequest, hook: Webhook) -> HttpResponse:
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            services.change_webhook(hook, **form.cleaned_data)
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            messages.success(request, gettext("Saved. The secret stays the same."))
            return redirect("webhook", hook.datasource_id, hook.pk)
    return _page(request, get_object_or_404(Webhook, pk=hook.pk), form)


def _done(request: HtmxRequest, hook: Webhook, action: str) -> HttpResponse | None:
    """What a button does; an answer only where there is no such button."""
    try:
        if action == "test":
            services.send_test(hook)
            messages.success(request, gettext("A test is sent within seconds."))
        elif action == "open_again":
            services.open_again(hook, signed_in(request))
            messages.success(request, gettext("It is notified of what happens from now on."))
        elif action == "switch_off":
            services.switch_off(hook, WhyOff.OWNER)
            messages.success(request, gettext("It is switched off. What happens meanwhile is not sent."))
        elif delivery := uuid_in(request.POST.get("again", "")):
            services.send_again(get_object_or_404(hook.deliveries, pk=delivery))
            messages.success(request, gettext("It is sent again within seconds."))
        else:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return None
