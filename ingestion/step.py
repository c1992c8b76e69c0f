"""What a step of reading is, and the registry of the steps in their order (settings.PIPELINE_STEPS)."""

from typing import ClassVar

from django.utils.translation import gettext as _

from datasources.models import Datasource, Document, DocumentStatus
from datasources.registry import registered
from ingestion.run import DocumentRun
from localization.numbers import numeral
from localization.promises import StrOrPromise


class Step:
    """One step of reading. It goes on from what is stored, so that running it twice changes nothing."""

    name: ClassVar[str]  # in style sheets, see .c-extract
    label: ClassVar[StrOrPromise]
    status: ClassVar[DocumentStatus]
    counted: ClassVar[str]  # the field of Document that says how many units the step has in all
    expected_speed: ClassVar[float | None] = None  # units a second, as long as none was measured
    is_measured: ClassVar[bool] = True  # whether its progress is counted in those units, or done in one go

    def run(self, run: DocumentRun) -> None:
        """Do it for one document. Raises Stopped, ExtractionError, ProviderError."""
        raise NotImplementedError

    def run_passages(self, document_ids: list[int]) -> None:
        """Do it for ready passages, each a document of one chunk; called within a transaction."""

    def resume(self, datasource: Datasource) -> None:
        """Queue what waits here after a pause or an import of passages; joins the caller's transaction."""

    def takes_long(self, datasource: Datasource) -> bool:
        """Whether its time counts in what is left until a document is ready."""
        return self.is_measured

    def now(self, document: Document) -> str:
        """What happens to the document in this step, such as “Indexing page 3 of 40”."""
        return str(self.status.label)


def page_reached(document: Document) -> str:
    """How far the present step is, in pages whatever it counts: “page 3 of 40”; empty while not known."""
    pages, total = document.page_count or 0, document.stage_total
    if not (pages and total):
        return ""
    reached = min(pages, document.stage_done * pages // total + 1)
    return _("page {n} of {total}").format(n=numeral(reached), total=numeral(pages))


def steps() -> tuple[Step, ...]:
    """All steps in their order."""
    return registered("PIPELINE_STEPS", Step)
