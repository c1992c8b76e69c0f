"""Limits how long an exchange with a server may take in all."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Timer
from typing import Protocol


class Closable(Protocol):
    def close(self) -> None: ...


@contextmanager
def within(seconds: float, web: Closable) -> Iterator[None]:
    """Close the client after so many seconds in all. Its own timeouts apply to the next bytes only: a server
    that sends one byte at a time would hold it for hours. Raises TimeoutError.
    """
    late = Event()

    def close() -> None:
        late.set()
        web.close()

    timer = Timer(seconds, close)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if late.is_set():
            raise TimeoutError(f"it took more than {seconds:.0f} seconds") from error
        raise
    finally:
        timer.cancel()
