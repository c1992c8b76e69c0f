"""The connections of this process: who has how many, and which of them wait for a request."""

from enum import Enum
from functools import cached_property
from typing import Protocol

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from jobs.at_once import AtOnce
from svq_site.serving.address import counted_as
from svq_site.serving.open_files import ConnectionLimits, connection_limits, raise_limit

NEARLY_FULL = 0.9  # of all connections busy: worth a warning


class Connection(Protocol):
    def give_way(self) -> None:
        """End at once: no request is lost."""


class Admission(Enum):
    ADMITTED = "admitted"
    TOO_MANY_OF_ADDRESS = "too many of this address"
    FULL = "full"


class Connections:
    """Lives on one event loop."""

    def __init__(self) -> None:
        self._all: dict[Connection, str | None] = {}
        self._waiting: dict[Connection, None] = {}  # the one that has waited longest first
        self._of_address = AtOnce(lambda: self.limits.each)

    @cached_property
    def limits(self) -> ConnectionLimits:
        return connection_limits(raise_limit())

    @cached_property
    def _proxies(self) -> ProxyHeadersMiddleware:
        return ProxyHeadersMiddleware(None, settings.TRUSTED_PROXIES)  # type: ignore[arg-type]

    def admit(self, connection: Connection, host: str | None) -> Admission:
        """Count it, unless there are too many. A proxy that is trusted may have any number."""
        if len(self._all) >= self.limits.total and not self._make_way():
            return Admission.FULL
        address = None if host is None or host in self._proxies.trusted_hosts else counted_as(host)
        if address is not None and not self._of_address.take(address):
            return Admission.TOO_MANY_OF_ADDRESS
        self._all[connection] = address
        return Admission.ADMITTED

    def forget(self, connection: Connection) -> None:
        """It has ended, admitted or not."""
        self._waiting.pop(connection, None)
        if address := self._all.pop(connection, None):
            self._of_address.give_back(address)

    def waits(self, connection: Connection) -> None:
        """It has no request under way."""
        self._waiting[connection] = None

    def works(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)

    def state(self) -> str:
        """For /healthz: "ok", or what is short."""
        busy, total = self.busy()
        return f"{busy:,} of {total:,} are busy" if busy >= NEARLY_FULL * total else "ok"

    def busy(self) -> tuple[int, int]:
        """How many have a request under way, and how many there can be."""
        return len(self._all) - len(self._waiting), self.limits.total

    def _make_way(self) -> bool:
        """End the connection that has waited longest for a request."""
        longest = next(iter(self._waiting), None)
        if longest is None:
            return False
        self.forget(longest)
        longest.give_way()
        return True


connections = Connections()
