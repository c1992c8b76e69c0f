"""The documents of a bundle into a datasource that is there: their files, read anew by its own settings, with
what people have said of them.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from django.core.exceptions import ValidationError

from accounts.models import User
from bundles import checking
from bundles.archive import BLOCK
from bundles.checking import Checked
from bundles.contents import DOCUMENT
from bundles.errors import BundleError
from datasources.models import Datasource, DocumentStatus
from ingestion.upload import accept_upload

KEPT_IN_MEMORY = 1 << 20  # bytes of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """new: documents that were not there before. known: those whose content was."""

    new: int
    known: int


def add_documents(datasource: Datasource, person: User | None, path: Path, *, counted: bool = False) -> Added:
    """Each is one transaction, so a second try after an interruption adds what is still missing.

    Raises BundleError before anything is added where the bundle is damaged, or where the datasource takes no
    more; OSError.
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
                    accepted = accept_upload(
                        datasource, person, row["filename"], cast(Any, file), counted=counted
                    )
                except ValidationError as error:
                    raise BundleError(
                        f"“{row['filename']}” was not added: {' '.join(error.messages)}",
                        f"{new} documents were added before it.",
                    ) from error
            for each in accepted:
                new, known = new + (not each.duplicate), known + each.duplicate
                if not each.duplicate and len(accepted) == 1:
                    each.document.write(title=row["title"], description=row["description"])
    return Added(new=new, known=known)


def _documents(bundle: Checked) -> Iterator[dict[str, Any]]:
    """The last version of each; a file of passages once."""
    reader = next(rows for rows in bundle.tables if rows.table.label == DOCUMENT)
    given = set()
    with bundle.archive.part(reader.table.name) as part:
        for row in reader.read(part):
            if row["file"] and row["file"] not in given and row["status"] != DocumentStatus.SUPERSEDED:
                given.add(row["file"])
                yield row
