"""How models are spoken to, for all processes: found by a test, changed by what an answer meets."""

from urllib.parse import urlsplit

from providers.connections.catalogue import THIS_COMPUTER
from providers.connections.models import ModelDialect
from providers.protocols.dialect import Dialect, Rung


def dialect_of(address: str, model: str) -> Dialect:
    """The usual one where nothing was found out."""
    is_local = urlsplit(address).hostname in THIS_COMPUTER
    row = ModelDialect.objects.filter(address=address[:500], model=model[:200]).first()
    if row is None or row.rung not in set(Rung):
        return Dialect(is_local=is_local)
    return Dialect(
        rung=Rung(row.rung), streams=row.streams, reads=row.reads, writes=row.writes, is_local=is_local
    )


def remember(address: str, model: str, dialect: Dialect) -> None:
    """What a test has found."""
    found = {
        "rung": dialect.rung, "streams": dialect.streams, "reads": dialect.reads, "writes": dialect.writes
    }  # fmt: skip
    ModelDialect.objects.update_or_create(address=address[:500], model=model[:200], defaults=found)


def remember_rung(address: str, model: str, rung: Rung) -> None:
    """What an answer has found: from now on the model is asked for no more than that."""
    ModelDialect.objects.update_or_create(address=address[:500], model=model[:200], defaults={"rung": rung})
