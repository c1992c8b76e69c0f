"""Replies of models that are kept until what they are for is written down, so that none is paid for twice."""

from typing import Any

from django.db import models

from text.storable import storable


class PaidReplyRow(models.Model):
    """A reply within a run that has not ended. A subclass says of which run, and what the reply is for."""

    key = models.CharField(max_length=64, help_text="SHA-256 of the request.")
    reply = models.JSONField()

    class Meta:
        abstract = True
        verbose_name_plural = "paid replies"

    def __str__(self) -> str:
        return self.key[:12]

    @classmethod
    def kept(cls, key: str, **of: models.Model) -> dict[str, Any] | None:
        """`of`: the run, and what the reply is for, by their columns."""
        return cls._default_manager.filter(key=key, **of).values_list("reply", flat=True).first()

    @classmethod
    def keep(cls, key: str, reply: dict[str, Any], **of: models.Model) -> None:
        """The first reply to a request stays."""
        cls._default_manager.get_or_create(key=key, **of, defaults={"reply": storable(reply)})
