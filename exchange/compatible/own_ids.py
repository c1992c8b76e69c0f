"""Files under ids of a program's own: adding one, a newer one, and taking an id away again."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import User
from datasources.models import Datasource, Document
from datasources.models.outside_ids import EXTERNAL_ID, without_id
from datasources.whose_ids import is_added_by, meant
from ingestion.adding.describing import change_metadata
from ingestion.adding.kinds_of_files import PASSAGES_SUFFIX
from ingestion.adding.upload import Accepted, accept_upload
from ingestion.lifecycle.deletion import delete_documents
from sql.locks import hold

LOCK = 0x6F69  # the class of advisory locks of ids, one a datasource and id


@transaction.atomic
def add(
    datasource: Datasource, person: User, name: str, file: BinaryIO, metadata: Mapping[str, Any]
) -> Accepted:
    """Of a file of passages the first. A file under an id that the person has given to one in this datasource
    before is its next version; one whose content is here already takes the id over. Raises ValidationError.
    """
    before: list[Document] = []
    own = str(metadata.get(EXTERNAL_ID, ""))
    if own:
        # Two at the same moment are two versions, too; files under other ids don't wait.
        hold(LOCK, f"{datasource.pk} {own}")
        named = meant(person, [own], datasource.documents.current()).get(own, [])
        before = [row for row in named if is_added_by(person, row)]
    is_passages = PurePath(name).suffix.lower() == PASSAGES_SUFFIX
    replaced = None if is_passages and all(row.passage for row in before) else _newest(before, own)
    accepted = accept_upload(datasource, person, name, file, replaces=replaced, metadata=metadata)[0]
    if accepted.duplicate and not is_passages:
        take_away([row for row in before if row.pk != accepted.document.pk], own, person)
    return accepted


@transaction.atomic
def take_away(documents: Collection[Document], own: str, by: User) -> None:
    """They lose the id; those that have no other are deleted, which can be undone for ten seconds. Of one
    datasource.
    """
    taken = (
        Document.objects.current().select_for_update(of=("self",)).filter(pk__in=[d.pk for d in documents])
    )
    with_it = [row for row in taken.order_by("pk").select_related("datasource") if own in row.external_ids]
    others = [row for row in with_it if len(row.external_ids) > 1]
    change_metadata(others, lambda row: without_id(row.metadata, own))
    going = [row.pk for row in with_it if row not in others]
    if going:
        delete_documents(with_it[0].datasource, going, by)


def _newest(before: Sequence[Document], own: str) -> Document | None:
    """The version to be replaced. Raises ValidationError where that is not one document."""
    replaced = {row.replaces_id for row in before}
    last = [row for row in before if row.pk not in replaced]
    if len(last) > 1 or any(row.passage for row in last):
        raise ValidationError(
            f"“{own}” is the id of {len(last)} documents or passages here, which one file cannot replace. "
            "Nothing was stored. Delete it first.",
            code="id_several",
        )
    return last[0] if last else None
