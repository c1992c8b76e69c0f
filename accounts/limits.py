"""Counts of attempts in a window of time, kept in the cache: how many there may be, and how long to wait."""

import contextlib
import hashlib
import ipaddress
import math
import time
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """At most `attempts` in `seconds`, which begin with the first attempt."""

    name: str
    attempts: int
    seconds: int

    def take(self, subject: str) -> int:
        """Count an attempt of the subject. The seconds to wait where there were too many, else 0."""
        key = self._key(subject)
        end = cache.get_or_set(f"{key}:end", lambda: time.time() + self.seconds, self.seconds)
        cache.add(key, 0, self.seconds)
        try:
            count = cache.incr(key)
        except ValueError:  # the window has ended since the line above
            cache.set(key, count := 1, self.seconds)
        if count <= self.attempts:
            return 0
        return max(1, math.ceil((end or 0) - time.time()))

    def give_back(self, subject: str) -> None:
        """Uncount one attempt, such as one that succeeded."""
        with contextlib.suppress(ValueError):  # its window has ended
            cache.decr(self._key(subject))

    def _key(self, subject: str) -> str:
        return f"limit:{self.name}:{hashlib.sha256(subject.encode()).hexdigest()}"


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
