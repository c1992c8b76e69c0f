"""What people say of a document: its name, its tags, a few words. Its file and its text stay as they are."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from datasources.models import Document
from datasources.models.tags import tags_in, with_tags
from datasources.tags_in_use import spelt_as_in_use
from formats.base.characters import clean_text, visible_name
from ingestion import progress
from ingestion.indexes import search_index

LONGEST_TITLE = 300  # characters
LONGEST_DESCRIPTION = 500


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


def add_tag(document: Document, tag: str) -> None:
    """One more, where there is room for it: a file that lies in two folders has both as tags."""
    try:
        describe(document, tags=[*tags_in(document.metadata), tag])
    except ValidationError:
        return


def index_name(document: Document) -> None:
    """Let searches find the document by what it is called now; one without chunks has nothing to be found."""
    if texts := list(document.chunks.order_by("index").values_list("text", flat=True)):
        search_index.index_documents([(document, texts)])


def checked_title(title: str) -> str:
    title = visible_name(title)
    if not title:
        raise ValidationError("A document needs a name. Nothing was changed.", code="name_missing")
    if len(title) > LONGEST_TITLE:
        raise ValidationError(
            f"That name has {len(title):,} characters; the limit is {LONGEST_TITLE}. Choose a shorter one.",
            code="name_long",
        )
    return title


def _checked_description(description: str) -> str:
    description = clean_text(description).strip()
    if len(description) > LONGEST_DESCRIPTION:
        raise ValidationError(
            f"The description has {len(description):,} characters; the limit is {LONGEST_DESCRIPTION}. "
            "Shorten it.",
            code="description_long",
        )
    return description
