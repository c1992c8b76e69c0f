"""The desks: apps for one kind of work each, which nothing below needs. SVQ_LEAVE_OUT runs SVQ without any.

Of a desk that is left out nothing is there: no pages, REST, tabs, jobs or tables. Rows of a table that Django
doesn't know would keep documents from being deleted (svq_site.host.checks).
"""

from collections.abc import Collection, Iterable

from django.core.exceptions import ImproperlyConfigured

DESKS = ("evaluation", "tables", "compliance", "research")


def left_out(named: Collection[str]) -> frozenset[str]:
    """Of SVQ_LEAVE_OUT. Raises ImproperlyConfigured for what is no desk."""
    if wrong := sorted(set(named) - set(DESKS)):
        raise ImproperlyConfigured(f"SVQ_LEAVE_OUT has {wrong[0]!r}: set any of {', '.join(DESKS)}.")
    return frozenset(named)


def without(desks: Collection[str], paths: Iterable[str]) -> list[str]:
    """The dotted paths that lead into none of these desks."""
    prefixes = tuple(f"desks.{desk}." for desk in desks)
    return [one for one in paths if not f"{one}.".startswith(prefixes)]


def having_tables(desks: Collection[str], tables: Collection[str]) -> list[str]:
    """Those of the desks that have one of the database's tables."""
    return sorted(desk for desk in desks if any(table.startswith(f"{desk}_") for table in tables))
