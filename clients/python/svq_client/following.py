"""An answer as it is written: from the lines of its event stream to pieces and steps."""

import json
from collections.abc import Iterator
from typing import Any

from svq_client import calls
from svq_client.call import Call
from svq_client.errors import time_limit
from svq_client.limits import Limit
from svq_client.replies import Reply, refusal
from svq_client.values import Piece, Step

SILENCE = 45.0  # seconds; the server sends something every 15
MOST_LOSSES = 5  # connections in a row that brought nothing: then the answer is only waited for
RESTARTED, FINISHED = "turn_restarted", "turn_finished"


class Following:
    """What was read of the stream of one turn. It goes on after the last event on the next connection."""

    def __init__(self, turn: str, limit: Limit) -> None:
        self.turn = turn
        self.is_over = False
        self._limit = limit
        self._last = ""
        self._losses = 0
        self._begun = b""
        self._fields: dict[str, str] = {}

    def call(self) -> Call[None]:
        """The request of the next connection; it counts as lost until an event comes."""
        self._begun, self._fields = b"", {}
        self._losses += 1
        return calls.events(self.turn, self._last)

    def check(self, reply: Reply) -> None:
        """A stream that was not opened. Raises SvqError, but not while the server is only away for a
        moment.
        """
        refused = refusal(reply)
        if refused is not None and refused.retry_after is None and reply.status < 500:
            raise refused

    def take(self, data: bytes) -> Iterator[Piece | Step]:
        """What more of the stream brings. Raises SvqError `time_limit`."""
        if self._limit.left <= 0:
            raise time_limit(
                f"the question {self.turn} has no answer yet.",
                "It goes on: wait_for_answer() waits longer, stop() ends it.",
            )
        # Not by the HTTP library's lines, which also end at characters that an answer may have (U+2028).
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            yield from self._line(line.decode(errors="replace").removesuffix("\r"))

    def pause(self) -> float:
        """Seconds until the next connection; without one when too many brought nothing."""
        self.is_over = self.is_over or self._losses >= MOST_LOSSES
        return 0.0 if self.is_over else 0.25 * 2**self._losses

    def _line(self, line: str) -> tuple[Piece | Step, ...]:
        if line:
            name, _, value = line.partition(":")
            if name:  # lines that begin with a colon keep the connection alive
                self._fields[name] = value.removeprefix(" ")
            return ()
        fields, self._fields = self._fields, {}
        return self._event(fields) if "data" in fields else ()

    def _event(self, fields: dict[str, str]) -> tuple[Piece | Step, ...]:
        self._losses = 0
        self._last = fields.get("id", self._last)
        kind = fields.get("event", "")
        self.is_over = kind == FINISHED
        try:
            data = json.loads(fields["data"])
        except ValueError:
            return ()
        return self._shown(kind, data) if isinstance(data, dict) else ()

    def _shown(self, kind: str, data: dict[str, Any]) -> tuple[Piece | Step, ...]:
        if kind == RESTARTED:
            return (Piece(self.turn, 0, ""),)
        if kind == "answer_delta":
            return (Piece(self.turn, int(data.get("offset", 0)), str(data.get("text", ""))),)
        step = data.get("step")
        if not isinstance(step, dict):
            return ()
        words = (str(step.get(name) or "") for name in ("id", "label", "text", "state"))
        return (Step(self.turn, *words),)
