"""Which documents are a connector's, and so go with its files."""

from collections.abc import Collection, Sequence

from datasources.models import GONE, Document, DocumentStatus
from exchange.connectors.models import Brought, Connector, FollowedFile, FollowedFileQuerySet

DELETED = (DocumentStatus.DELETED,)


def followed(row: Connector) -> FollowedFileQuerySet:
    """In all folders of the datasource."""
    return FollowedFile.objects.filter(connector__datasource=row.datasource_id)


def brought(documents: Collection[int]) -> set[int]:
    """Those of them that came from a folder, with all their versions. The next one of what a person has
    added, or has changed by hand, is theirs as well.
    """
    return set(Brought.objects.filter(document__in=documents).values_list("document_id", flat=True))


def going(
    row: Connector, missing: Sequence[FollowedFile], gone: Collection[str] = GONE
) -> dict[int, set[int]]:
    """The documents that came from there, and whose last file this is, each with its versions that are here
    yet. A version that people have added to one is theirs, and stays. A file that is withheld keeps none.

    gone: what is not here; DELETED, where pages of replaced versions may not stay open either.
    """
    came = brought({file.document_id for file in missing if file.document_id})
    here = _still_here(came, gone)
    ours = brought(set().union(*here.values()))
    versions = {pk: each & ours for pk, each in here.items()}
    others = followed(row).filter(is_withheld=False).exclude(pk__in=[file.pk for file in missing])
    theirs = set(
        others.filter(document__in=came.union(*versions.values())).values_list("document_id", flat=True)
    )
    left = {pk: each - theirs for pk, each in versions.items() if pk not in theirs}
    return {pk: each for pk, each in left.items() if each}


def earlier(row: Connector, gone: Collection[str] = DELETED) -> set[int]:
    """What came from there before the versions that its files have now. gone: as for `going`."""
    kept = set(row.files.with_document().values_list("document", flat=True))
    versions = _still_here(kept, gone)
    return brought(set().union(*versions.values()) - kept)


def _still_here(documents: Collection[int], gone: Collection[str]) -> dict[int, set[int]]:
    """Of each document the versions that are here, itself and those before it: an earlier one answers until
    its successor is read, which it may never be.
    """
    found: dict[int, set[int]] = {}
    document_of = {pk: pk for pk in documents}
    while document_of:
        rows = Document.objects.filter(pk__in=document_of).values_list("pk", "status", "replaces_id")
        earlier: dict[int, int] = {}
        for pk, status, replaces in rows:
            if status not in gone:
                found.setdefault(document_of[pk], set()).add(pk)
            if replaces:
                earlier[replaces] = document_of[pk]
        document_of = earlier
    return found
