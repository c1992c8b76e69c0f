"""Whom a source names as readers of a file, in words that are the same for all sources. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

LONGEST_KEY = 200  # characters
MOST_READERS = 1_000  # of a file; those beyond count as none, so that a file is rather shown to fewer
_PERSON, _DOMAIN, _OTHER = "mail:", "domain:", "other:"


@dataclass(frozen=True, slots=True, order=True)
class Reader:
    """key: the same at each look. name: for people."""

    key: str
    name: str

    @property
    def is_named(self) -> bool:
        """Whether it stands for nobody here until an owner says for whom: a group, or whoever has a link."""
        return self.key.startswith(_OTHER)


EVERYBODY = Reader("everybody", "Everybody")


def person(address: str) -> Reader:
    address = storable(address).strip().lower()
    return Reader(f"{_PERSON}{address}"[:LONGEST_KEY], address[:LONGEST_KEY])


def people_of_domain(domain: str) -> Reader:
    domain = storable(domain).strip().lower()
    return Reader(f"{_DOMAIN}{domain}"[:LONGEST_KEY], domain[:LONGEST_KEY])


def others(identity: str, name: str) -> Reader:
    identity, name = storable(identity), storable(name)
    return Reader(f"{_OTHER}{identity}"[:LONGEST_KEY], (name or identity)[:LONGEST_KEY])


def in_both(some: Collection[str], others: Collection[str]) -> list[str]:
    """The keys of those who are named among both."""
    if EVERYBODY.key in some:
        return sorted(others)
    return sorted(some if EVERYBODY.key in others else {*some} & {*others})


def storable(text: str) -> str:
    """With a sign that no address has in place of those that a database does not take."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if each == "\0" or "\ud800" <= each <= "\udfff" else each for each in text
    )


def as_many_as_count(found: Iterable[Reader]) -> frozenset[Reader]:
    return frozenset(sorted(set(found))[:MOST_READERS])


def keys_of_address(address: str) -> set[str]:
    """Those by which a person with this address is named, one of which suffices."""
    return {EVERYBODY.key, person(address).key, people_of_domain(address.rpartition("@")[2]).key}
