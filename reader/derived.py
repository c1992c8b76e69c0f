"""The images and PDFs made from documents' files, as the registry of derived data needs them."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from datasources.derived import Change, DerivedData
from datasources.models import Datasource, Document
from reader import page_images


class PageImages(DerivedData):
    def apply(self, change: Change) -> None:
        self._forget(Document.objects.filter(pk__in=change.purged).values_list("sha256", flat=True))

    def purge_datasource(self, datasource: Datasource) -> None:
        self._forget(datasource.documents.values_list("sha256", flat=True))

    def _forget(self, contents: Iterable[str]) -> None:
        if contents := set(contents):
            transaction.on_commit(partial(forget_unused, contents), robust=True)


def forget_unused(contents: set[str]) -> None:
    """Drop what was made from these contents (SHA-256), but for those that a document still has."""
    kept = Document.objects.filter(sha256__in=contents).values_list("sha256", flat=True)
    for sha256 in contents - set(kept):
        page_images.forget(sha256)
