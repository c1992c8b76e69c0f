"""Blocks: hashed signatures of names, stored so that a name is compared with few others, not with all."""

import hashlib
from collections.abc import Iterable, Sequence

from django.db import connection

from graph.resolution.resolve import Name, blocks
from graph.sql import query
from sql import rows


def block_hash(datasource_id: int, block: str) -> int:
    """64 bits, signed as Postgres has them."""
    digest = hashlib.blake2b(f"{datasource_id}:{block}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def write_blocks(datasource_id: int, names: Sequence[tuple[int, Name]]) -> None:
    """Put the blocks of these names, given with their ids, in the place of those they have."""
    rows("DELETE FROM graph_nameblock WHERE name_id = ANY(%s)", [pk for pk, _ in names])
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY graph_nameblock (block, name_id, sure) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types(["int8", "int8", "bool"])
        for pk, name in names:
            sure, wide = blocks(name)
            for block in sure | wide:
                copy.write_row([block_hash(datasource_id, block), pk, block in sure])


def blocks_of(ids: Iterable[int], sure: bool = False) -> list[int]:
    """The blocks of these names, or the sure ones alone."""
    return [block for (block,) in query("blocks_of_names", names=list(ids), sure=sure)]


def neighbours(ids: Iterable[int]) -> set[int]:
    """Names that share a sure block with these."""
    shared = blocks_of(ids, sure=True)
    return {
        pk for (pk,) in rows("SELECT DISTINCT name_id FROM graph_nameblock WHERE block = ANY(%s)", shared)
    }
