"""Limits how much of an answer is read: an endless one would fill the memory."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import httpx

LARGEST_ANSWER = 32 * 2**20  # bytes: some 100,000 streamed tokens, or 64 vectors of any model
AS_IT_IS = {"Accept-Encoding": "identity"}  # compressed, a kilobyte may be a megabyte


class TooLarge(httpx.TransportError):
    """The answer is too large, or compressed although that was not asked for."""


def bound(response: httpx.Response) -> None:
    """A hook of clients: reading more than LARGEST_ANSWER of this answer raises TooLarge."""
    refuse_packed(response)
    response.stream = _Bounded(response.stream)


async def bound_async(response: httpx.Response) -> None:
    """The same for asynchronous clients."""
    refuse_packed(response)
    response.stream = _AsyncBounded(cast(httpx.AsyncByteStream, response.stream))


def refuse_packed(response: httpx.Response) -> None:
    """A hook of clients. Raises TooLarge: a kilobyte of it may be a gigabyte."""
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise TooLarge("the answer is packed", request=response.request)


class BoundedPieces:
    """A stream's pieces up to LARGEST_ANSWER, then TooLarge: a base for streams of httpx and httpx2."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        left = LARGEST_ANSWER
        for piece in self._stream:
            left = _less(left, piece)
            yield piece

    def close(self) -> None:
        self._stream.close()


class _Bounded(BoundedPieces, httpx.SyncByteStream):
    pass


class _AsyncBounded(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = LARGEST_ANSWER
        async for piece in self._stream:
            left = _less(left, piece)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def _less(left: int, piece: bytes) -> int:
    """What may still come after the piece. Raises TooLarge."""
    if len(piece) > left:
        raise TooLarge(f"the answer has more than {LARGEST_ANSWER:,} bytes")
    return left - len(piece)
