"""How long talking to a server may take in all."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Timer
from typing import Protocol


class Closable(Protocol):
    def close(self) -> None: ...


@contextmanager
def within(seconds: float, web: Closable) -> Iterator[None]:
    """Closes the client after so long in all. Its own limits are for the next bytes alone: who sends one byte
    at a time would hold it for hours. Raises TimeoutError.
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
