"""A datasource's webhooks, for its owners: the list, a new one, and what was sent to one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from datasources.forms import refuse
from datasources.models import Role
from datasources.numbers import uuid_in
from datasources.pages import HtmxRequest, bar, datasource_for, signed_in
from settings_pages.refusals import OFFERED, always_says
from webhooks import services
from webhooks.models import CHOSEN

SHOWN = 100  # deliveries


class WebhookForm(forms.Form):
    address = forms.CharField(
        label="Address",
        max_length=services.LONGEST,
        widget=forms.URLInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label="What it is told",
        choices=[(kind.value, kind.label) for kind in CHOSEN],
        initial=[kind.value for kind in CHOSEN],
        error_messages=always_says(OFFERED) | {"required": "Choose what it is told."},
        widget=forms.CheckboxSelectMultiple(attrs={"class": "check"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HtmxRequest, pk: int) -> HttpResponse:
    """POST makes one and shows its secret, once."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form, made = WebhookForm(), {}
    if request.method == "POST":
        form = WebhookForm(request.POST)
        if form.is_valid():
            try:
                hook, secret = services.make_webhook(datasource, **form.cleaned_data, by=signed_in(request))
            except ValidationError as refusal:
                refuse(form, refusal, {"address": "address", "kinds": "kinds"})
            else:
                form, made = WebhookForm(), {"made": hook, "secret": secret}
    context: dict[str, Any] = {
        **bar(datasource, "settings"), "form": form, "hooks": datasource.webhooks.all(), **made,
    }  # fmt: skip
    return render(request, "webhooks/webhooks.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HtmxRequest, pk: int, webhook: int) -> HttpResponse:
    """What was sent; POST does what `action` names."""
    datasource = datasource_for(request, pk, Role.OWNER)
    hook = get_object_or_404(datasource.webhooks, pk=webhook)
    action = request.POST.get("action", "")
    if request.method != "POST":
        context = {
            **bar(datasource, "settings"), "hook": hook, "deliveries": hook.deliveries.all()[:SHOWN],
        }  # fmt: skip
        return render(request, "webhooks/webhook.html", context)
    if action == "delete":
        hook.delete()
        messages.success(request, "The webhook is deleted.")
        return redirect("webhooks", pk)
    try:
        if action == "test":
            services.send_test(hook)
            messages.success(request, "A test is sent within seconds.")
        elif action == "open_again":
            services.open_again(hook)
            messages.success(request, "It is told what happens from now on.")
        elif delivery := uuid_in(request.POST.get("again", "")):
            services.send_again(get_object_or_404(hook.deliveries, pk=delivery))
            messages.success(request, "It is sent again within seconds.")
        else:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return redirect("webhook", pk, webhook)
