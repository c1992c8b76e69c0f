"""What people say of a document: its name, its tags, a few words. Its file and its text stay as they are."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasources.in_use.tags import spelt_as_in_use
from datasources.models import Document
from datasources.models.outside_ids import also
from datasources.models.tags import TAGS, tags_in, with_tags
from formats.base.characters import clean_text, visible_name
from ingestion import progress
from ingestion.indexes import search_index
from localization.numbers import numeral

LONGEST_TITLE = 300  # characters
LONGEST_DESCRIPTION = 500
ANNOUNCED = 100  # documents of one change of metadata: pages ask again anyway


@transaction.atomic
def describe(
    document: Document,
    *,
    title: str | None = None,
    description: str | None = None,
    tags: Iterable[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Name, describe or tag a document; what is None stays as it is. Raises ValidationError.

    It is found by its new name from the same moment. Answers keep the name under which they cited it.
    """
    row = Document.objects.select_for_update().get(pk=document.pk)
    values: dict[str, object] = {}
    if title is not None and (checked := checked_title(title)) != row.title:
        values["title"] = checked
    if description is not None:
        values["description"] = _checked_description(description)
    if metadata is not None:
        values["metadata"] = metadata
    if tags is not None:
        values["metadata"] = with_tags(row.metadata, spelt_as_in_use(row.datasource_id, tags, besides=row.pk))
    if not values:
        return
    document.write(**values)
    if "title" in values:
        index_name(document)
    progress.announce(document, "document_described")


@transaction.atomic
def change_metadata(documents: Collection[Document], change: Callable[[Document], dict[str, Any]]) -> None:
    """`change` is called with each of them as it is now, and nobody else changes it meanwhile. Raises what
    that raises, with nothing changed.
    """
    rows = Document.objects.select_for_update().filter(pk__in=[each.pk for each in documents])
    changed = []
    for row in rows.order_by("pk"):
        metadata = change(row)
        if metadata != row.metadata:
            row.metadata = metadata
            changed.append(row)
    Document.objects.bulk_update(changed, ["metadata"], batch_size=1000)
    for row in changed[:ANNOUNCED]:
        progress.announce(row, "document_described")


def take_over(documents: Collection[Document], tag: str, metadata: Mapping[str, Any]) -> None:
    """What comes with a file that is here already. A tag for which there is no room is left out: it is the
    folder of a file that lies in many. Raises ValidationError for other metadata that does not fit.
    """
    given = {name: value for name, value in metadata.items() if name != TAGS}
    more = [each for each in (*tags_in(metadata), tag) if each]

    def change(row: Document) -> dict[str, Any]:
        both = also(row.metadata, given)
        if not more:
            return both
        try:
            tags = spelt_as_in_use(row.datasource_id, [*row.tags, *more], besides=row.pk)
            return with_tags(both, tags)
        except ValidationError:
            return both

    change_metadata(documents, change)


def index_name(document: Document) -> None:
    """Let searches find the document by what it is called now; one without chunks has nothing to be found."""
    if texts := list(document.chunks.order_by("index").values_list("text", flat=True)):
        search_index.index_documents([(document, texts)])


def checked_title(title: str) -> str:
    title = visible_name(title)
    if not title:
        raise ValidationError(_("A document needs a name. Nothing was changed."), code="name_missing")
    if len(title) > LONGEST_TITLE:
        raise ValidationError(
            ngettext(
                "That name has {n} character; the limit is {most}. Choose a shorter one.",
                "That name has {n} characters; the limit is {most}. Choose a shorter one.",
                len(title),
            ).format(n=numeral(len(title)), most=numeral(LONGEST_TITLE)),
            code="name_long",
        )
    return title


def _checked_description(description: str) -> str:
    description = clean_text(description).strip()
    if len(description) > LONGEST_DESCRIPTION:
        raise ValidationError(
            ngettext(
                "The description has {n} character; the limit is {most}. Shorten it.",
                "The description has {n} characters; the limit is {most}. Shorten it.",
                len(description),
            ).format(n=numeral(len(description)), most=numeral(LONGEST_DESCRIPTION)),
            code="description_long",
        )
    return description
