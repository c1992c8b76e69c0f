"""The job that masks personal data in texts from before a datasource's owner switched masking on."""

from procrastinate.contrib.django import app

from chat.masking import masked
from datasources import derived
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit

MASKING_SECONDS = 6 * 3600


@app.task(
    name="mask_what_was_said", queue="heavy", retry=Backoff(), task_middleware=[TimeLimit(MASKING_SECONDS)]
)
def mask_what_was_said(datasource_id: int) -> None:
    """In everything that is made from the documents, if the owner still wants it."""
    if masked([datasource_id]):
        derived.mask(datasource_id)
