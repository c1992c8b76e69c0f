"""People's decisions, found by the keys that they are about."""

from collections.abc import Iterable

from graph.models import Decision
from graph.sql import array


def decisions_of(datasource_id: int, keys: Iterable[str]) -> list[Decision]:
    """Those that have any of these keys on either side, in the order in which they were made.

    Keys come by the thousand: as one value they take a tenth of the time of as many parameters.
    """
    wanted = array(list(keys))
    found = Decision.objects.raw(
        "SELECT * FROM graph_decision WHERE datasource_id = %s AND (key = ANY(%s) OR other_key = ANY(%s))"
        " ORDER BY id",
        [datasource_id, wanted, wanted],
    )
    return list(found)
