"""How a model is spoken to: what it has shown it can do, and how fast it reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SLOW_READING = 400.0  # tokens a second; a question with its passages has some thousands
SLOW_WRITING = 20.0
TOO_SLOW_TO_SEARCH = 60.0  # tokens a second read: two requests with tools would take over two minutes
CAREFUL = 2.0  # times the measured speed: a server may be busier than when it was measured
CAREFUL_HERE = 4.0  # the same of a model that shares its processors with everything else that SVQ does
UNKNOWN_READING, UNKNOWN_WRITING = 25.0, 10.0  # of a server on this machine that nobody has measured
SETTLING = 15.0  # seconds that a slow server may take besides: to load the model, to come to a request


class Rung(StrEnum):
    """From the most that a model can do to the least that every model can."""

    FORCED = "forced"  # calls a tool when it must
    OFFERED = "offered"  # calls tools, but cannot be made to
    SCHEMA = "schema"  # calls none; writes a call as JSON of a given form
    PLAIN = "plain"  # writes text; code searches for it

    @property
    def takes_tools(self) -> bool:
        return self in (Rung.FORCED, Rung.OFFERED)

    @property
    def in_words(self) -> str:
        from django.utils.translation import gettext as _  # the process that runs a model has no Django

        return {
            Rung.FORCED: _("Calls search tools when told to"),
            Rung.OFFERED: _("Calls search tools, but cannot be made to"),
            Rung.SCHEMA: _("Calls no tools: it writes its searches as JSON"),
            Rung.PLAIN: _("Calls no tools: SVQ searches, and the model writes from what is found"),
        }[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """`streams`: a reply comes in pieces. `reads` and `writes`: tokens a second, 0 where not measured.
    `is_local`: its server runs on this machine. `is_here`: it is a part of SVQ, which searches and reads on
    the same processors.
    """

    rung: Rung = Rung.FORCED
    streams: bool = True
    reads: float = 0.0
    writes: float = 0.0
    is_local: bool = False
    is_here: bool = False

    @property
    def is_slow(self) -> bool:
        """Whether it is known to need more time than a server that many people share."""
        return bool(self.reads) and (self.reads < SLOW_READING or 0 < self.writes < SLOW_WRITING)

    @property
    def searches(self) -> bool:
        """Whether the model looks things up itself. One that cannot, or that reads too slowly for a second
        request, is given what code has found.
        """
        return self.rung != Rung.PLAIN and not self.is_too_slow_to_search

    @property
    def is_too_slow_to_search(self) -> bool:
        return 0 < self.reads < (SLOW_READING if self.is_here else TOO_SLOW_TO_SEARCH)

    @property
    def in_words(self) -> str:
        """How it is worked with."""
        from django.utils.translation import gettext as _

        if self.searches or self.rung == Rung.PLAIN:
            return self.rung.in_words
        return _("Too slow for several requests: SVQ searches, and the model writes from what is found")

    def seconds_to_read(self, tokens: int) -> float:
        """0 where the speed is not known."""
        return tokens / self.reads if self.reads else 0.0

    def seconds_to_write(self, tokens: int) -> float:
        return tokens / self.writes if self.writes else 0.0

    def patience(self, read: int, written: int) -> tuple[float, float]:
        """Seconds to wait for the first word of a reply and for the whole of it; 0 and 0 unless it is slow.

        `read`, `written`: how many tokens the request has, and how many the reply may have.
        """
        if self.is_local and not self.reads:
            first = SETTLING + read / UNKNOWN_READING
            return first, first + written / UNKNOWN_WRITING
        if not self.is_slow:
            return 0.0, 0.0
        careful = CAREFUL_HERE if self.is_here else CAREFUL
        first = SETTLING + careful * self.seconds_to_read(read)
        return first, first + careful * self.seconds_to_write(written)
