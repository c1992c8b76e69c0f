"""The job that masks personal data in what was said before the owner of a datasource wanted it masked."""

from procrastinate.contrib.django import app

from chat.masking import masked
from datasources import derived
from jobs.retry import Backoff


@app.task(name="mask_what_was_said", queue="upkeep", retry=Backoff())
def mask_what_was_said(datasource_id: int) -> None:
    """In all that is made from the documents, as long as the owner still wants it."""
    if masked([datasource_id]):
        derived.mask(datasource_id)
