"""The documents of a bundle into a datasource that is there: their files, read anew by its own settings, with
what people have said of them.
"""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import User
from datasources.in_use.tags import spelt_as_in_use
from datasources.models import Datasource, DocumentStatus
from datasources.models.tags import tags_in, with_tags
from exchange.bundles import checking
from exchange.bundles.archive import BLOCK
from exchange.bundles.checking import Checked
from exchange.bundles.contents import DOCUMENT
from exchange.bundles.errors import BundleError
from ingestion.adding.upload import Accepted, accept_upload
from text.counted import counted

KEPT_IN_MEMORY = 1 << 20  # bytes of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """new: documents that were not there before. known: those whose content was."""

    new: int
    known: int


def add_documents(datasource: Datasource, person: User | None, path: Path) -> Added:
    """Each is one transaction, so a second try after an interruption adds what is still missing. Nobody's
    quota is used up.

    Raises BundleError: before anything is added where the bundle is damaged or the datasource archived, and
    after some where the datasource takes no more; OSError.
    """
    if datasource.archived:
        raise BundleError(
            "The datasource is archived with its matter.", "Nothing was added. Open the matter."
        )
    new = known = 0
    with checking.checked(path) as bundle:
        for row in _documents(bundle):
            with tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY) as file:
                with bundle.archive.part(row["file"]) as part:
                    while block := part.read(BLOCK):
                        file.write(block)
                file.seek(0)
                try:
                    accepted = _added(datasource, person, row, cast(BinaryIO, file))
                except ValidationError as error:
                    raise BundleError(
                        f"“{row['filename']}” was not added: {' '.join(error.messages)}",
                        f"Added before it: {counted(new, 'document')}.",
                    ) from error
            for each in accepted:
                new, known = new + (not each.duplicate), known + each.duplicate
    return Added(new=new, known=known)


@transaction.atomic  # a document that is there already is left as it is: it must not lack its title
def _added(
    datasource: Datasource, person: User | None, row: dict[str, Any], file: BinaryIO
) -> list[Accepted]:
    accepted = accept_upload(datasource, person, row["filename"], file, counted=False)
    if len(accepted) == 1 and not accepted[0].duplicate:
        tags = spelt_as_in_use(datasource.pk, tags_in(json.loads(row["metadata"])))
        metadata = with_tags(accepted[0].document.metadata, tags)
        accepted[0].document.write(title=row["title"], description=row["description"], metadata=metadata)
    return accepted


def _documents(bundle: Checked) -> Iterator[dict[str, Any]]:
    """The last version of each; a file of passages once."""
    reader = next(rows for rows in bundle.tables if rows.table.label == DOCUMENT)
    given = set()
    with bundle.archive.part(reader.table.name) as part:
        for row in reader.read(part):
            if row["file"] and row["file"] not in given and row["status"] != DocumentStatus.SUPERSEDED:
                given.add(row["file"])
                yield row
