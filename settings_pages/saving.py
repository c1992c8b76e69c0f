"""Settings that save themselves: of the fields a request names, those that changed are stored, no others."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from localization.lists import joined

Save = Callable[..., object]  # gets the fields by their names
UNKNOWN = gettext_lazy("There is no such setting. Nothing was changed.")


def save_fields(
    request: HttpRequest,
    form: forms.BaseForm,
    save: Save,
    *,
    page: Callable[[forms.BaseForm], HttpResponse],
    back: str,
    codes: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Check and store those fields of the form that `field` in the request names, one or several.

    `save` gets them by name. Where it raises ValidationError, `codes` says which field that is about, else it
    is the first. htmx gets the words to stand beside the field. A browser without scripts goes `back`, or
    gets the `page` of the form, which shows what is stored, but for what was refused.
    """
    named = request.POST.getlist("field")
    if not named or not set(named) <= set(form.fields):
        return HttpResponseBadRequest(UNKNOWN, content_type="text/plain")
    changed = changed_fields(form)
    names = [name for name in named if name in changed]
    kept = {name: stored_in_words(form, name) for name in names}
    given = _check(form, names)
    if names and not form.errors:
        try:
            save(**given)
        except ValidationError as refusal:
            about = (codes or {}).get(str(getattr(refusal, "code", "")), names[0])
            form.add_error(about if about in names else names[0], refusal)
    refused = [(form[name], form.errors[name], kept[name]) for name in names if name in form.errors]
    if getattr(request, "htmx", False):
        return render(
            request,
            "settings_pages/_state.html",
            {"refused": refused, "saved": [] if refused else [form[name] for name in names]},
            status=422 if refused else 200,
        )
    if refused:
        _show_again(form, names)
        return page(form)
    messages.success(request, _("Saved: {label}.").format(label=form[named[0]].label))
    return redirect(back)


def changed_fields(form: forms.BaseForm) -> list[str]:
    """Those that differ from what the page showed, which a field with `show_hidden_initial` sends along, and
    all that do not say what was shown. Of fields that are sent together, only these are what somebody chose.
    """
    return [
        name
        for name in form.fields
        if form.add_initial_prefix(name) not in form.data or name in form.changed_data
    ]


def changed_values(form: forms.BaseForm) -> dict[str, Any]:
    """Of a valid form, what those fields hold."""
    return {name: form.cleaned_data[name] for name in changed_fields(form)}


def _check(form: forms.BaseForm, names: list[str]) -> dict[str, Any]:
    """What these fields hold; their errors are in the form, and no others."""
    every = form.fields
    form.fields = {name: every[name] for name in names}
    form.full_clean()
    form.fields = every
    return {name: form.cleaned_data.get(name) for name in names}


def _show_again(form: forms.BaseForm, names: list[str]) -> None:
    """Let the form show what is stored, and of these fields what was sent."""
    for name in names:
        form.initial[name] = form[name].data
    form.is_bound = False
    first = next(name for name in names if name in form.errors)
    form.fields[first].widget.attrs["autofocus"] = True


def stored_in_words(form: forms.BaseForm, name: str) -> str:
    """What the field had before the form was sent; also for those who may only read it."""
    field = form.fields[name]
    value = form.get_initial_for_field(field, name)
    if isinstance(field, forms.BooleanField):
        return _("Yes") if value else _("No")
    if isinstance(value, (list, tuple)):
        labels = dict(getattr(field, "choices", ()))
        return joined([str(labels.get(one, one)) for one in value]) or _("none")
    if value in (None, ""):
        return _("empty")
    if isinstance(value, (int, float, Decimal)):
        return number_format(value, force_grouping=True)
    return str(dict(getattr(field, "choices", ())).get(value, value))
