"""What `up` knows of the workers that it has started: one that gives no sign of life is replaced.

A worker writes one into the database every two seconds. One whose loop hangs, or that was frozen, does not.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import psycopg

from jobs.processes import last_heartbeats

LOOK_SECONDS = 3
SILENT_SECONDS = 30  # a third of that after the last sign of life, the worker's jobs have gone to others


class Children(Protocol):
    """What the supervisor offers."""

    def pids(self) -> list[int]: ...

    def replace(self, pid: int, why: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """The last heartbeat of a process, and when a new one was seen; 0 until a second one has come."""

    beat: float
    seen: float = 0.0


class Heartbeats:
    """Looks now and then, and has those replaced that were alive and have fallen silent."""

    def __init__(self, children: Children, clock: Callable[[], float] = time.monotonic) -> None:
        self._children = children
        self._clock = clock
        self._pulses: dict[int, Pulse] = {}
        self._looked = clock()

    def look(self) -> None:
        """Called about every half second."""
        if self._clock() - self._looked < LOOK_SECONDS:
            return
        pids = self._children.pids()
        try:
            beats = asyncio.run(last_heartbeats(pids))
        except (psycopg.Error, OSError, TimeoutError):
            return  # no heartbeat could be written either
        for pid in self.silent(pids, beats):
            self._children.replace(pid, f"has given no sign of life for {SILENT_SECONDS} s")

    def silent(self, pids: Sequence[int], beats: Mapping[int, float]) -> list[int]:
        """Which of these are to be replaced, by what a look has found.

        One that is only starting has no heartbeat, and is left alone. After a time without a look (the
        database was away, the machine asleep) all have as long again.
        """
        now = self._clock()
        missed, self._looked = now - self._looked > 2 * LOOK_SECONDS, now
        self._pulses = {pid: pulse for pid, pulse in self._pulses.items() if pid in pids}
        for pid, beat in beats.items():
            pulse = self._pulses.setdefault(pid, Pulse(beat=beat))
            if beat != pulse.beat:
                self._pulses[pid] = Pulse(beat=beat, seen=now)
        if missed:
            self._pulses = {
                pid: replace(pulse, seen=now) if pulse.seen else pulse for pid, pulse in self._pulses.items()
            }
        return [
            pid for pid, pulse in self._pulses.items() if pulse.seen and now - pulse.seen > SILENT_SECONDS
        ]
