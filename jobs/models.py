"""The columns of a row that jobs work on; what procrastinate does not know of lanes, workers and jobs."""

from collections.abc import Collection
from typing import ClassVar

from django.db import models

from localization.stored import told

# The columns of a row that is taken away from its run, the failure of that forgotten.
RELEASED = {
    "run_token": None,
    "unended": 0,
    "error_code": "",
    "error_message": "",
    "error_hint": "",
    "error_detail": "",
    "error_words": None,
}
# Those of a row that is queued again, as if it had never been tried.
REQUEUED = RELEASED | {"attempts": 0}


class FencedRow(models.Model):
    """A row that jobs work on, one run at a time: the reading of a document, the answering of a turn.

    Only the run that holds `run_token` may write about it, see jobs.runs. A subclass gives `status` its
    choices, among them "failed", and names in `unfinished` those with which a run may begin.
    """

    unfinished: ClassVar[Collection[str]]

    status = models.CharField(max_length=12)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.CharField(max_length=500, blank=True)
    error_hint = models.CharField(max_length=500, blank=True)
    error_words = models.JSONField(
        null=True, editable=False, help_text="What these two are made of, as localization.stored has it."
    )
    error_detail = models.TextField(blank=True, help_text="For administrators alone.")
    attempts = models.PositiveIntegerField(default=0)
    unended = models.PositiveIntegerField(
        default=0, editable=False, help_text="Runs in a row that came to no end: their worker died."
    )
    run_token = models.UUIDField(null=True, editable=False)
    job_id = models.BigIntegerField(null=True, editable=False)

    class Meta:
        abstract = True

    @property
    def is_unfinished(self) -> bool:
        return self.status in self.unfinished

    @property
    def error(self) -> dict[str, str] | None:
        """Why its run failed, as JSON tells it; None when none has."""
        if not self.error_code:
            return None
        return {"code": self.error_code, "message": self.error_message, "hint": self.error_hint}

    @property
    def why_failed(self) -> str:
        """In the reader's language."""
        return told(self.error_message, (self.error_words or {}).get("message"))

    @property
    def what_helps(self) -> str:
        """The same of what can be done."""
        return told(self.error_hint, (self.error_words or {}).get("hint"))

    def write(self, **values: object) -> None:
        """Write just these columns, here and in the database: others may have changed the rest of the row."""
        for name, value in values.items():
            setattr(self, name, value)
        type(self)._default_manager.filter(pk=self.pk).update(**values)


class ServedLane(models.Model):
    """When a job of a lane was last taken from a queue; the lanes without a row come first."""

    queue = models.CharField(max_length=128)
    person = models.BigIntegerField(help_text="Their number; 0 is nobody's.")
    datasource = models.BigIntegerField(help_text="Its number, or 0.")
    served = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["queue", "person", "datasource"], name="served_lane_once")
        ]

    def __str__(self) -> str:
        return f"{self.queue}: person {self.person}, datasource {self.datasource}"


class WorkerProcess(models.Model):
    """Which process a worker of procrastinate is. Its row goes some time after the worker's."""

    worker_id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=100, help_text="As people see it.")
    host = models.CharField(max_length=255)
    pid = models.BigIntegerField()
    started = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} ({self.pid} on {self.host})"


class JobReport(models.Model):
    """How far a job is, and why it failed. Its row goes some time after the job's."""

    job_id = models.BigIntegerField(primary_key=True)
    done = models.FloatField()
    total = models.FloatField(help_text="0 where nobody knows.")
    message = models.CharField(max_length=500, blank=True)
    changed = models.DateTimeField()

    def __str__(self) -> str:
        return f"job {self.job_id}: {self.done} of {self.total}"
