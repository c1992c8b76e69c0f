"""The registry of derived data (settings.DERIVED_DATA): how all that is made from documents follows a change.

What is made from other derived data stands before it in the list, so that it is taken away first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from datasources.models import Datasource
from datasources.registry import registered
from jobs.reports import report


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What happens to documents of one datasource, in one transaction; documents are told by their ids.

    published: read to the end or restored, so searched from now on. withdrawn: deleted, but may be restored.
    superseded: old versions, each with the new one that is published with the same change; people may still
    open their pages. rechunked: about to be split again. purged: rows that are about to be deleted.
    """

    datasource_id: int
    published: Sequence[int] = ()
    withdrawn: Sequence[int] = ()
    superseded: Mapping[int, int] = field(default_factory=dict)
    rechunked: Sequence[int] = ()
    purged: Sequence[int] = ()
    more_follows: bool = False  # another change comes at once: what can wait is done after the last one

    @property
    def without_chunks(self) -> list[int]:
        """The documents whose chunks go, and with them all that was made from chunks."""
        return [*self.superseded, *self.rechunked, *self.purged]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is deleted, told by what its data is kept under: documents of one datasource, or all of it."""

    datasource_id: int
    documents: Sequence[int]
    contents: Sequence[str]  # see Document.content
    whole: bool = False


class DerivedData:
    """What one app has made from documents. Each method runs within the caller's transaction.

    Rows that refer to a document or datasource by a cascading foreign key go with it and need no word here.
    """

    loss: str = ""  # what people would miss besides the files, in the plural: "conversations"
    loss_at_zero: bool = True  # whether it is named even where there is none

    def apply(self, change: Change) -> None:
        """Follow the change. Files are left to `sweep`."""

    def purge_datasource(self, datasource: Datasource) -> None:
        """Delete all that was made in the datasource, which is about to be deleted."""

    def sweep(self, subject: Subject) -> None:
        """Delete the files, and what a run that was under way has written since the purge.

        Called by a job after the rows are gone, and again until nothing is left. Raises OSError.
        """

    def mask(self, datasource_id: int) -> None:
        """Mask personal data in what was said of documents before the owner wanted it masked; each batch is a
        transaction of its own. May be called again.
        """

    def count(self, subject: Subject) -> Mapping[str, int]:
        """How much there is of each kind that a purge takes away, by plural noun (`page_images`)."""
        return {}

    def count_loss(self, datasource: Datasource) -> int:
        """How many of `loss` the datasource has."""
        raise NotImplementedError


def derived_data() -> tuple[DerivedData, ...]:
    return registered("DERIVED_DATA", DerivedData)


def apply(change: Change) -> None:
    """Let all derived data follow."""
    for data in derived_data():
        data.apply(change)


def purge_datasource(datasource: Datasource) -> None:
    for data in derived_data():
        data.purge_datasource(datasource)


def sweep(subject: Subject) -> None:
    """Let all derived data delete what is left. Raises OSError."""
    for data in derived_data():
        data.sweep(subject)


def mask(datasource_id: int) -> None:
    every = derived_data()
    for done, data in enumerate(every):
        report(done, len(every))
        data.mask(datasource_id)


def count(subject: Subject) -> dict[str, int]:
    """How much derived data there is, by kind."""
    return {kind: number for data in derived_data() for kind, number in data.count(subject).items()}


def losses(datasource: Datasource) -> dict[str, int]:
    """How much of what people would miss is in the datasource, by plural noun."""
    counts = {data: data.count_loss(datasource) for data in derived_data() if data.loss}
    return {data.loss: count for data, count in counts.items() if count or data.loss_at_zero}


def loss_nouns() -> list[str]:
    return [data.loss for data in derived_data() if data.loss]
