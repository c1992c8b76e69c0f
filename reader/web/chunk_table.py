"""The table of the chunk page: its filters, its order, and the part of it that is shown."""

from typing import Any

from django import forms
from django.core.paginator import Page as Listed
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from datasources.models import Datasource, Document
from ingestion.models import Chunk, ChunkKind
from reader.citation_count import citation_count

PER_PAGE = 50
SORTS = (("order", _("In order")), ("quality", _("Lowest quality")), ("cited", _("Most cited")))


class Filters(forms.Form):
    """The table's choices, from the address; what is not understood counts as not chosen."""

    kind = forms.ChoiceField(choices=[("", _("All types")), *ChunkKind.choices], required=False)
    quality = forms.ChoiceField(
        choices=[
            ("", _("Any quality")),
            ("0.5", _("0.5 or more")),
            ("0.7", _("0.7 or more")),
            ("0.9", _("0.9 or more")),
        ],
        required=False,
    )
    state = forms.ChoiceField(
        choices=[("", _("Searched or not")), ("in", _("Searched")), ("out", _("Left out"))], required=False
    )
    sort = forms.ChoiceField(choices=SORTS, required=False)
    page = forms.IntegerField(min_value=1, required=False)

    def chosen(self) -> dict[str, Any]:
        self.is_valid()
        return {name: self.cleaned_data.get(name) for name in self.fields}


def filtered(
    datasource: Datasource, document: Document | None, person: User, chosen: dict[str, Any]
) -> QuerySet[Chunk]:
    """The table's rows, sorted."""
    rows = Chunk.objects.select_related("document")
    if document:
        rows = rows.filter(document=document)
    else:
        rows = rows.filter(datasource=datasource, document__in=datasource.documents.current())
    if chosen["kind"]:
        rows = rows.filter(kind=chosen["kind"])
    if chosen["quality"]:
        rows = rows.filter(quality__gte=float(chosen["quality"]))
    if chosen["state"]:
        rows = rows.filter(left_out=chosen["state"] == "out")
    if chosen["page"] and document:
        rows = rows.filter(first_page__lte=chosen["page"], last_page__gte=chosen["page"])
    in_order = ("document__title", "document_id", "index")
    if chosen["sort"] == "quality":
        return rows.order_by("quality", *in_order)
    if chosen["sort"] == "cited":
        return rows.annotate(cited=citation_count(person)).order_by("-cited", *in_order)
    return rows.order_by(*in_order)


def listed_page(
    rows: QuerySet[Chunk], number: str | None, opened: Chunk | None, chosen: dict[str, Any]
) -> Listed[Chunk]:
    """The part of the table that is shown: the one asked for, else the one with the opened chunk."""
    pages = Paginator(rows, PER_PAGE)
    if number is None and opened and chosen["sort"] in ("", "order"):
        before = rows.filter(document=opened.document_id, index__lt=opened.index).count()
        return pages.get_page(before // PER_PAGE + 1)
    return pages.get_page(number)
