"""Counts of attempts in a window of time: how many there may be, and how long to wait.

They are in the database, so that all web processes count together.
"""

import hashlib
import ipaddress
import math
from dataclasses import dataclass

from django.http import HttpRequest

from accounts.sql import query


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """At most `attempts` in `seconds`, which begin with the first attempt."""

    name: str
    attempts: int
    seconds: int

    def take(self, subject: str) -> int:
        """Count an attempt of the subject. The seconds to wait where there were too many, else 0."""
        ((count, left),) = query("take", key=self._key(subject), seconds=self.seconds)
        return 0 if count <= self.attempts else max(1, math.ceil(left))

    def give_back(self, subject: str) -> None:
        """Uncount one attempt, such as one that succeeded."""
        query("give_back", key=self._key(subject))

    def _key(self, subject: str) -> str:
        """Says nothing of whose attempts are counted."""
        return f"{self.name}:{hashlib.sha256(subject.encode()).hexdigest()}"


def network(request: HttpRequest) -> str:
    """The address a request comes from; for IPv6 the /64, all of which one person has."""
    text = request.META.get("REMOTE_ADDR", "")
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return text
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False).network_address)
