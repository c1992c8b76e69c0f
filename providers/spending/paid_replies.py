"""Replies of models, kept until their results are stored, so that none is paid for twice."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import models

from providers.protocols import Reply, TextDelta, ToolCall, ToolCallDelta, Usage
from text.normal_forms.storable import storable


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


def key_of(*parts: Any) -> str:
    """Of a request: whatever makes its answer another one."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=asdict).encode()).hexdigest()


def replayed(kept: Mapping[str, Any]) -> list[TextDelta | ToolCallDelta | Reply]:
    """The pieces of a chat reply, `asdict` of which was kept, as a model streams them."""
    calls = tuple(ToolCall(**call) for call in kept["tool_calls"])
    reply = Reply(
        content=kept["content"], tool_calls=calls, usage=Usage(**kept["usage"]), cut=bool(kept.get("cut"))
    )
    deltas: list[TextDelta | ToolCallDelta | Reply] = [TextDelta(text=reply.content)] if reply.content else []
    deltas += [
        ToolCallDelta(index=index, id=call.id, name=call.name, arguments=call.arguments)
        for index, call in enumerate(calls)
    ]
    return [*deltas, reply]
