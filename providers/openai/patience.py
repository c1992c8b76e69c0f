"""How long to wait for a model server: until it begins, between two pieces, and in all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from typing import Self, TypeVar

from django.utils.translation import gettext_noop

from localization.stored import Said, said, said_of
from providers.protocols import ProviderError

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """In seconds."""

    first: float
    between: float
    whole: float

    @classmethod
    def of(cls, whole: float, first_of_slow: float = 0.0, whole_of_slow: float = 0.0) -> Self:
        """30 and 10 seconds of 60. `first_of_slow`, `whole_of_slow`: what a slow model needs at least."""
        first, between = max(whole / 2, first_of_slow), whole / 6
        if first_of_slow:
            between = max(between, first_of_slow / 2)  # whatever keeps it busy besides
        return cls(first=first, between=between, whole=max(whole, whole_of_slow))


class Waiting:
    """For one answer. `begun`: whether anything of it has come."""

    def __init__(self, patience: Patience) -> None:
        self.begun = False
        self._patience = patience
        self._since = time.monotonic()

    async def for_begin(self, opening: Awaitable[T]) -> T:
        """The server's answer to the request. Raises ProviderError."""
        return await self._within(opening)

    async def for_next(self, pieces: AsyncIterator[T]) -> T | None:
        """The next piece; None behind the last. Raises ProviderError."""
        try:
            return await self._within(anext(pieces))
        except StopAsyncIteration:
            return None

    async def _within(self, awaited: Awaitable[T]) -> T:
        spent = time.monotonic() - self._since
        patience = self._patience
        step = patience.between if self.begun else patience.first - spent
        try:
            async with asyncio.timeout(max(0.0, min(step, patience.whole - spent))):
                return await awaited
        except TimeoutError:
            raise self._stalled() from None

    def _stalled(self) -> ProviderError:
        patience, code = self._patience, "model_timeout"
        if not self.begun:
            told = gettext_noop(
                "The model server has not begun to answer within {seconds}, so it does not answer in time. "
                "Nothing is lost. Try again, or allow it more time in the settings."
            )
            seconds = patience.first
        elif time.monotonic() - self._since >= patience.whole:
            code = "model_too_slow"
            told = gettext_noop(
                "The model server takes more than {seconds} for an answer, so it does not answer in time. "
                "Nothing is lost. Try again, or allow it more time in the settings."
            )
            seconds = patience.whole
        else:
            told = gettext_noop(
                "The model server has fallen silent for {seconds} in the middle of its answer, so it does "
                "not answer in time. Nothing is lost. Try again, or allow it more time in the settings."
            )
            seconds = patience.between
        failure = ProviderError(said(told, seconds=_seconds(seconds)), transient=True, stalled=True)
        failure.code = code
        return failure


def _seconds(count: float) -> Said:
    if count < 1:
        return said("{n} s", n=f"{count:.1f}")
    return said_of("{n} second", "{n} seconds", round(count))
