"""The append-only event log. Written by `events.log` alone, in single SQL statements."""

from django.db import models
from django.db.models.fields.json import KeyTransform


class Channel(models.Model):
    """A named sequence of events. `run_token` names the one run that may write, where there is one."""

    name = models.CharField(max_length=80, primary_key=True)
    last_seq = models.IntegerField(default=0)
    run_token = models.UUIDField(null=True)

    class Meta:
        db_table = "event_channel"

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """One thing that happened; `seq` counts from 1 without gaps within its channel.

    `final`: nothing follows in the channel. `ephemeral`: a later event repeats it, so a crash of the database
    server may lose it, and it is deleted soon after the final event.
    """

    pk = models.CompositePrimaryKey("channel", "seq")
    channel = models.CharField(max_length=80)
    seq = models.IntegerField()
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    final = models.BooleanField(default=False)
    ephemeral = models.BooleanField(default=False)
    created = models.DateTimeField()

    class Meta:
        db_table = "event"
        indexes = [  # what a deletion looks for
            models.Index("channel", KeyTransform("document", "data"), name="event_of_document"),
        ]

    def __str__(self) -> str:
        return f"{self.channel}:{self.seq} {self.kind}"
