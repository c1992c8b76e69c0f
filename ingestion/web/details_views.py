"""The dialog in which a document is renamed, tagged and described."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from datasources.models import Document
from datasources.web.forms import CountedField, refuse
from datasources.web.pages import HtmxRequest, bar, go
from ingestion.adding.describing import LONGEST_DESCRIPTION, LONGEST_TITLE, describe
from ingestion.web.views import closed_dialog, document_for

FIELD_OF_CODE = {
    "name_missing": "title",
    "name_long": "title",
    "description_long": "description",
    "tags_many": "tags",
    "tag_long": "tags",
}


class DetailsForm(forms.Form):
    title = CountedField(
        label=_("Name"),
        max_length=LONGEST_TITLE,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    tags = forms.CharField(
        label=_("Tags"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "input", "rows": 3, "autocomplete": "off"}),
    )
    description = CountedField(
        label=_("What it is"),
        max_length=LONGEST_DESCRIPTION,
        required=False,
        widget=forms.Textarea(attrs={"class": "input", "rows": 2}),
    )


@login_required
@require_http_methods(["GET", "POST"])
def details(request: HtmxRequest, pk: int, doc: int) -> HttpResponse:
    """On the documents page or, with `?from=reader`, on the document's own."""
    datasource, document = document_for(request, pk, doc)
    from_reader = request.GET.get("from") == "reader"
    form = DetailsForm(request.POST if request.method == "POST" else None, initial=initial(document))
    if request.method == "POST" and saved(document, form):
        if from_reader:
            return go(request, reverse("reader", args=[pk, doc]))
        return closed_dialog(request, datasource)
    context = {**bar(datasource, "documents"), "document": document, "form": form, "from_reader": from_reader}
    return render(request, "ingestion/details.html", context, status=422 if form.errors else 200)


def initial(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "tags": "\n".join(document.tags),
        "description": document.description,
    }


def saved(document: Document, form: DetailsForm) -> bool:
    """False when something is refused, which the form then says."""
    if not form.is_valid():
        return False
    given = form.cleaned_data
    try:
        describe(
            document,
            title=given["title"],
            tags=given["tags"].splitlines(),
            description=given["description"],
        )
    except ValidationError as refusal:
        refuse(form, refusal, FIELD_OF_CODE)
        return False
    return True
