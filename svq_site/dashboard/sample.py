"""The sample datasource: five invented documents to try SVQ with."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from datasources.models import SAMPLE_DESCRIPTION, Datasource, DocumentStatus
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from svq_site.dashboard import welcome

SAMPLES = Path(settings.BASE_DIR) / "samples"
SAMPLE_NAME = gettext_noop("Sample: Tarnbeck and Hallowmere")


def suggested_questions() -> list[str]:
    """What the sample datasource offers to ask."""
    rows: list[dict[str, Any]] = json.loads((SAMPLES / "suggested_questions.json").read_text())
    return [row["question"] for row in rows]


def load_samples(owner: User) -> Datasource:
    """The sample datasource, named in the language of the page; its documents are queued for reading."""
    datasource = create_datasource(owner, _(SAMPLE_NAME), description=SAMPLE_DESCRIPTION)
    datasource.suggested_questions = suggested_questions()
    datasource.save(update_fields=["suggested_questions"])
    for path in sorted(SAMPLES.glob("*.pdf")):
        with path.open("rb") as file:
            accept_upload(datasource, owner, path.name, file, counted=False)
    welcome.begin(owner, datasource)  # after the uploads: a later one ends the first page
    return datasource


def samples_progress() -> tuple[int, int]:
    """(documents of sample datasources still being read, those that failed)."""
    samples = Datasource.objects.filter(description=SAMPLE_DESCRIPTION)
    documents = [document for sample in samples for document in sample.documents.current()]
    failed = sum(document.status == DocumentStatus.FAILED for document in documents)
    return sum(document.is_unfinished for document in documents), failed
