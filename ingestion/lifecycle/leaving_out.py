"""Keeping chunks out of every search."""

from collections.abc import Collection

from datasources.models import Datasource
from ingestion.models import Chunk
from sql import rows


def set_left_out(chunk: Chunk, left_out: bool) -> None:
    """Keep a chunk out of every search, or take it back in."""
    chunk.left_out = left_out
    Chunk.objects.filter(pk=chunk.pk).update(left_out=left_out)


def set_several_left_out(datasource: Datasource, numbers: Collection[int], left_out: bool) -> list[int]:
    """The same for several of the datasource in one statement; the numbers of those that changed by it."""
    changed = rows(
        "UPDATE ingestion_chunk SET left_out = %s"
        " WHERE datasource_id = %s AND id = ANY(%s) AND left_out <> %s RETURNING id",
        left_out,
        datasource.pk,
        list(numbers),
        left_out,
    )
    return sorted(number for (number,) in changed)
