"""What was at a connected source and is no longer there: it goes here, too, unless so much is missing that a
person has to say so.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_noop

from exchange.connectors import readers
from exchange.connectors.going import going
from exchange.connectors.kinds.registry import TELLING_READERS, kind_of
from exchange.connectors.look import Look
from exchange.connectors.models import Connector, FollowedFile, parted
from exchange.connectors.sources.source import (
    Entry,
    SourceError,
)
from ingestion.lifecycle.deletion import delete_documents
from localization.stored import Said, said_of

AT_ONCE = 50  # documents that a transaction deletes
# What goes at once only when a person has said so, as a folder that is not mounted looks empty: more than
# FEW documents that are more than this SHARE of all, or more than MANY.
FEW, SHARE, MANY = 20, 0.5, 100
ALIKE = 2  # pages of a site that may become the same as others there, unless they are half of all


def missing_of(row: Connector, entries: Mapping[str, Entry]) -> list[FollowedFile]:
    """What was there and is no longer: in no list, or the place says so when it is fetched. What lies below
    something that the place does not give may be.
    """
    withheld = tuple(f"{entry.path}/" for entry in entries.values() if entry.refusal)
    files = row.files.select_related("document").order_by("path")
    return [
        file
        for file in files
        if (file.is_gone and file.document_id)
        or (file.path not in entries and not file.path.startswith(withheld))
    ]


def refuse_to_empty(look: Look, missing: Sequence[FollowedFile]) -> None:
    """Raises SourceError."""
    if look.row.kind in TELLING_READERS:  # what is moved to where fewer may read it is gone from the list
        return
    many = len(going(look.row, missing))
    if not look.row.deletes or many <= look.may_go:
        return
    kept = look.row.files.kept()
    documents = kept.values("document").distinct().count()
    left = set(kept.exclude(pk__in=[file.pk for file in missing]).values_list("document", flat=True))
    is_empty = left.isdisjoint(_known_before(look.row))
    alike = _alike(look.row, missing)
    is_wall = alike > ALIKE or (alike > 0 and alike >= SHARE * documents)
    if is_wall or is_empty or many > MANY or (many > FEW and many > SHARE * documents):
        with look.writing():
            look.row.write(gone=many)
            if kind_of(look.row.kind).has_pages:
                look.row.files.update(version="")  # the next look asks for each page, to see if it is back
        raise SourceError(
            "many_gone",
            _alike_now(alike) if is_wall else _no_longer_there(many),
            gettext_noop(
                "If that is right, let them be deleted here, too; else see whether the source is all there."
            ),
        )


def _alike_now(pages: int) -> Said:
    return said_of(
        "{n} page of the site became the same as others there, as where all lead to one that asks to sign "
        "in. No document was deleted.",
        "{n} pages of the site became the same as others there, as where all lead to one that asks to sign "
        "in. No document was deleted.",
        pages,
    )


def _no_longer_there(documents: int) -> Said:
    return said_of(
        "The files of {n} document are no longer there. No document was deleted.",
        "The files of {n} documents are no longer there. No document was deleted.",
        documents,
    )


def _alike(row: Connector, missing: Sequence[FollowedFile]) -> int:
    """Pages of a site whose content is now that of another one there."""
    if not kind_of(row.kind).has_pages:
        return 0
    ends = {file.path: parted(file.document_id) for file in missing}
    replaced = {path.removesuffix(end) for path, end in ends.items() if path.endswith(end)}
    left = row.files.kept().exclude(path__in=ends).values_list("path", "document")
    having = Counter(document for _, document in left)
    return sum(having[document] > 1 for path, document in left if path[:900] in replaced)


def _known_before(row: Connector) -> set[int | None]:
    """The documents of the last look that came to its end: what this one has taken may be of another folder
    that lies there now.
    """
    kept = row.files.kept()
    known = kept if row.looked is None else kept.filter(created__lte=row.looked)
    return set(known.values_list("document", flat=True))


def forget(look: Look, missing: Sequence[FollowedFile]) -> None:
    for start in range(0, len(missing), AT_ONCE):
        some = missing[start : start + AT_ONCE]
        with look.writing() as row:
            if row.kind in TELLING_READERS:
                readers.take_away(row, some)
            elif row.deletes:
                versions = [pk for each in going(row, some).values() for pk in each]
                delete_documents(row.datasource, versions, row.made_by)
            row.files.filter(pk__in=[file.pk for file in some]).delete()
