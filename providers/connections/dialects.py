"""How models are spoken to, for all processes: found by a test, changed by what an answer meets.

A model that is installed here has no address.
"""

from urllib.parse import urlsplit

from providers.connections.catalogue import THIS_COMPUTER
from providers.connections.models import ModelDialect
from providers.protocols.dialect import Dialect, Rung


def dialect_of(address: str, model: str) -> Dialect:
    """Where nothing was found out, the usual one; of a model that is installed here the one that any model
    is up to, as it may be a small one.
    """
    is_local = not address or urlsplit(address).hostname in THIS_COMPUTER
    row = ModelDialect.objects.filter(address=address[:500], model=model[:200]).first()
    if row is None or row.rung not in set(Rung):
        rung = Rung.FORCED if address else Rung.PLAIN
        return Dialect(rung=rung, is_local=is_local, is_here=not address)
    return Dialect(
        rung=Rung(row.rung),
        streams=row.streams,
        reads=row.reads,
        writes=row.writes,
        is_local=is_local,
        is_here=not address,
    )


def remember(address: str, model: str, dialect: Dialect) -> None:
    """What a test has found."""
    found = {
        "rung": dialect.rung,
        "streams": dialect.streams,
        "reads": dialect.reads,
        "writes": dialect.writes,
    }
    ModelDialect.objects.update_or_create(address=address[:500], model=model[:200], defaults=found)


def remember_rung(address: str, model: str, rung: Rung) -> None:
    """What an answer has found: from now on the model is asked for no more than that."""
    ModelDialect.objects.update_or_create(address=address[:500], model=model[:200], defaults={"rung": rung})


def remember_unsearched(address: str, model: str) -> None:
    """An answer came from nothing, without a search. Only of a model that nobody has tested is no more asked
    from now on: what a test has found isn't undone by one answer, which a document may have talked it into.
    """
    if not is_known(address, model):
        remember_rung(address, model, Rung.PLAIN)


def is_known(address: str, model: str) -> bool:
    """Whether a test has found out how it is spoken to."""
    return ModelDialect.objects.filter(address=address[:500], model=model[:200], reads__gt=0).exists()


def forget_dialect(address: str, model: str) -> None:
    """For a model that is gone."""
    ModelDialect.objects.filter(address=address[:500], model=model[:200]).delete()
