"""The events of a datasource for its documents page: numbers alone.

The page then asks for its list again, since it alone knows which documents it shows, in which order.
"""

from events import log
from events.access import Person
from events.models import Event


def snapshot(channel: str, user: Person) -> tuple[str, int]:
    """The newest number: the page knows by it whether anything happened since it was made."""
    seq = log.last_seq(channel)
    return f"{seq} ", seq


def fragment(channel: str, event: Event, user: Person) -> str | None:
    return f"{event.seq} "
