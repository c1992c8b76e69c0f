"""The images and PDFs made from documents' files, as the registry of derived data needs them."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from datasources.derived import Change, DerivedData
from datasources.files import delete_derived_files
from datasources.models import Datasource, Document


class PageImages(DerivedData):
    def apply(self, change: Change) -> None:
        self._forget(Document.objects.filter(pk__in=change.purged).values_list("sha256", flat=True))

    def purge_datasource(self, datasource: Datasource) -> None:
        self._forget(datasource.documents.values_list("sha256", flat=True))

    def _forget(self, contents: Iterable[str]) -> None:
        if contents := set(contents):
            transaction.on_commit(partial(delete_derived_files, contents))
