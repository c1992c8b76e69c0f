"""The form that re-chunks documents: a dialog on the chunk page, or a page of its own."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Sum, TextChoices
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from datasources.in_use.models import embeddings_in_use
from datasources.models import Chunking, Datasource, Document, Role
from datasources.numbers import number_in
from datasources.web.forms import OVERLAP_ALLOWED, SIZE_ALLOWED, refuse
from datasources.web.pages import HtmxRequest, bar, datasource_for, go
from ingestion.lifecycle.rechunking import all_cut, rechunk, rechunkable
from ingestion.web.contributions import contributions
from localization.numbers import numeral
from localization.promises import StrOrPromise

ALL = "all"


class KeptChoiceField(forms.ChoiceField):
    """A form may be sent without it: then it stays as it is."""

    def __init__(self, label: StrOrPromise, choices: type[TextChoices]) -> None:
        super().__init__(label=label, choices=choices.choices, widget=forms.Select(attrs={"class": "select"}))

    def validate(self, value: Any) -> None:
        if value:
            super().validate(value)


class RechunkForm(forms.Form):
    chunking = KeptChoiceField(_("How"), Chunking)
    chunk_size = forms.IntegerField(
        label=_("Passage size"),
        widget=forms.NumberInput(attrs={"class": "input", "autofocus": True}),
        error_messages=SIZE_ALLOWED,
    )
    chunk_overlap = forms.IntegerField(
        label=_("Overlap"), widget=forms.NumberInput(attrs={"class": "input"}), error_messages=OVERLAP_ALLOWED
    )


@login_required
@require_http_methods(["GET", "POST"])
def rechunk_documents(request: HtmxRequest, pk: int) -> HttpResponse:
    """?document= (a number) offers to cut just that one. For the owner: the size is the datasource's."""
    datasource = datasource_for(request, pk, Role.OWNER)
    document = chosen_document(datasource, number_in(request.GET.get("document", "")))
    usual = {name: getattr(datasource, name) for name in RechunkForm.base_fields}
    form = RechunkForm(request.POST or None, initial=usual)
    if request.method == "POST" and form.is_valid():
        only = None if request.POST.get("of") == ALL else document
        size, overlap = form.cleaned_data["chunk_size"], form.cleaned_data["chunk_overlap"]
        try:
            chunking = form.cleaned_data["chunking"]
            count = rechunk(datasource, size=size, overlap=overlap, chunking=chunking, only=only)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            told = ngettext(
                "{n} document is being split again. Questions find each again once it is ready.",
                "{n} documents are being split again. Questions find each again once it is ready.",
                count,
            )
            messages.success(request, told.format(n=numeral(count)))
            return go(request, reverse("documents", args=[pk]))
    context = bar(datasource, "chunks") | {
        "form": form,
        "document": document,
        **all_cut(datasource).aggregate(count=Count("pk"), passages=Sum("chunk_count", default=0)),
        "embeddings": embeddings_in_use(datasource),
        "all": ALL,
        "all_chosen": request.POST.get("of") == ALL,
        "consequences": [clause for part in contributions() if (clause := part.rechunking(datasource))],
    }
    return render(request, "ingestion/rechunk.html", context, status=422 if form.errors else 200)


def chosen_document(datasource: Datasource, number: int | None) -> Document | None:
    """None means all. Raises Http404."""
    if number is None:
        return None
    return get_object_or_404(rechunkable(datasource), pk=number)
