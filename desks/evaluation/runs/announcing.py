"""Tells the event log that a run has ended. The pages look at its row; webhooks read the log."""

from desks.evaluation.models import Run
from ingestion.progress import tell


def tell_end(run: Run, status: str, *, fallen: bool = False) -> None:
    """In the transaction that ends it. status: of RunStatus. fallen: a figure is worse or below its
    threshold.
    """
    tell(run.datasource_id, "run_finished", {"run": run.pk, "status": status, "fallen": fallen})
