"""How many event streams one person and one address have open on this server."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from events.access import Refused
from jobs.at_once import AtOnce

of_persons = AtOnce(lambda: settings.STREAMS_PER_PERSON)
of_addresses = AtOnce(lambda: settings.STREAMS_PER_ADDRESS)


@contextmanager
def counted(person: int, address: str) -> Iterator[None]:
    """While a stream is open. Raises Refused."""
    with of_persons.one_more(person) as one, of_addresses.one_more(address) as another:
        if not one or not another:
            whose = "at your address" if one else "of your account"
            raise Refused(
                429,
                "too_many_streams",
                f"Too many pages with live events are open {whose}. Nothing is lost.",
                "Close some of them, or reload this page in a few seconds.",
            )
        yield
