"""A datasource grown by SQL to 100,000 passages and 200,000 entities: copies of its documents with new
numbers, and made names, each told of in two passages. Nothing is read or embedded again.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sql import Statements

PASSAGES, ENTITIES, MENTIONS = 100_000, 200_000, 2
KINDS = ("Group", "Holdings", "Systems", "Partners", "Energy", "Capital", "Income", "Services", "Products")
COUNTED = ("ingestion_chunkterms", "ingestion_documentterms")  # their terms are counted by triggers
COPIED = {  # tables with rows of documents, and what of these has another value in a copy
    "ingestion_chunk": {"id": "c.new", "document_id": "c.document"},
    "ingestion_chunkembedding": {"chunk_id": "c.new"},
    "ingestion_chunkterms": {"chunk_id": "c.new", "document_id": "c.document"},
    "ingestion_documentterms": {"document_id": "c.new"},
    "ingestion_page": {"document_id": "c.new"},
}


def grow(name: str) -> None:
    """The only datasource of that name."""
    from django.db import connection, transaction

    from datasources.models import Datasource
    from sql import Statements

    datasource = Datasource.objects.get(name=name).pk
    sql = Statements(Path(__file__).parent / "sql")
    with transaction.atomic(), connection.cursor() as cursor:
        for change in ("DISABLE", "ENABLE"):
            if change == "ENABLE":
                copy_documents(cursor, sql, datasource)
            for table in COUNTED:
                cursor.execute(f"ALTER TABLE {table} {change} TRIGGER USER")
        add_entities(cursor, sql, datasource)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def copy_documents(cursor: Any, sql: "Statements", datasource: int) -> None:
    """A term of the copies counts as often as in what they copy."""
    cursor.execute("SELECT count(*) FROM ingestion_chunk WHERE datasource_id = %s", [datasource])
    copies = PASSAGES // cursor.fetchone()[0] + 1
    cursor.execute(sql["number_copies"], {"datasource": datasource, "copies": copies})
    same = columns(sql, "datasources_document", ["id", "title", "sha256"])
    cursor.execute(
        f"INSERT INTO datasources_document (id, title, sha256, {same}) OVERRIDING SYSTEM VALUE"
        f" SELECT new, title || ' copy ' || copy, encode(sha256(new::text::bytea), 'hex'), {same}"
        " FROM document_copy JOIN datasources_document ON id = old"
    )
    cursor.execute(sql["number_chunks"])
    cursor.execute("CREATE INDEX ON chunk_copy (old)")
    for table, changed in COPIED.items():
        of_chunk = table.startswith("ingestion_chunk")
        key = "id" if table == "ingestion_chunk" else "chunk_id" if of_chunk else "document_id"
        same = columns(sql, table, [*changed, "id"])
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(changed)}, {same})"
            f" {'OVERRIDING SYSTEM VALUE' if 'id' in changed else ''}"
            f" SELECT {', '.join(changed.values())}, {', '.join(f't.{each}' for each in same.split(', '))}"
            f" FROM {'chunk_copy' if of_chunk else 'document_copy'} c JOIN {table} t ON t.{key} = c.old"
        )
    cursor.execute(
        "UPDATE ingestion_termcount SET count = count * %s WHERE datasource_id = %s", [copies, datasource]
    )


def columns(sql: "Statements", table: str, without: Sequence[str]) -> str:
    """All others of the table, separated by commas."""
    return str(sql.rows("columns", table=table, without=list(without))[0][0])


def made_names() -> list[str]:
    chance = random.Random(1)
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    made: dict[str, None] = {}
    while len(made) < ENTITIES:
        last = chance.choice(KINDS) if chance.random() < 0.5 else "".join(chance.choices(syllables, k=3))
        made[f"{''.join(chance.choices(syllables, k=4))} {last}".title()] = None
    return list(made)


def add_entities(cursor: Any, sql: "Statements", datasource: int) -> None:
    from graph.resolution.blocking import write_blocks
    from graph.resolution.resolve import Name
    from ingestion.indexes.search_index import hashed

    cursor.execute("SELECT count(*) FROM ingestion_chunk WHERE datasource_id = %s", [datasource])
    of_all = {"datasource": datasource, "mentions": MENTIONS, "chunks": cursor.fetchone()[0]}
    cursor.execute("CREATE TEMP TABLE made (name text, key text, entity bigint, named bigint) ON COMMIT DROP")
    with cursor.copy("COPY made (name, key) FROM STDIN") as copy:
        for name in made_names():
            copy.write_row((name, name.lower()))
    for statement in ("number_entities", "add_entities", "add_names", "add_mentions"):
        cursor.execute(sql[statement], of_all)
    cursor.execute("SELECT named, key FROM made")
    names = cursor.fetchall()
    write_blocks(datasource, [(number, Name(key=key, types=("ORGANIZATION",))) for number, key in names])
    cursor.execute("CREATE TEMP TABLE made_word (word text, term int) ON COMMIT DROP")
    with cursor.copy("COPY made_word FROM STDIN") as copy:
        for word in {word for _, key in names for word in key.split()}:
            copy.write_row((word, hashed(datasource, word)))
    cursor.execute(sql["add_words"], of_all)
