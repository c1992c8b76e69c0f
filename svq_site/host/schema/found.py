"""What the database has: read from its catalogue in five queries."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sql import Statements
from svq_site.host.schema.values import Column, Named, Rule, Schema

statements = Statements(Path(__file__).parent / "sql")

KINDS = {"p": "primary key", "u": "unique", "f": "foreign key", "c": "check"}


def found() -> Schema:
    """Raises DatabaseError."""
    tables: dict[str, dict[str, Column]] = defaultdict(dict)
    for table, name, kind, nullable, filled in statements.rows("columns"):
        tables[table][name] = Column(type=kind, nullable=nullable, filled=filled)
    constraints, indexes = statements.rows("constraints"), statements.rows("indexes")
    names = {(row[0], row[1]) for row in (*constraints, *indexes)}
    return Schema(
        tables=tables,
        rules={*_of_constraints(constraints), *_of_indexes(indexes)},
        named={Named(table=table, kind="constraint or index", name=name) for table, name in names}
        | {Named(table=table, kind="trigger", name=name) for table, name in statements.rows("triggers")},
        functions=dict(statements.rows("functions")),
    )


def _of_constraints(rows: list[tuple[str, str, str, list[str], str]]) -> Iterator[Rule]:
    for table, _name, kind, columns, other in rows:
        if kind in KINDS:
            yield Rule(table=table, kind=KINDS[kind], columns=tuple(columns), to=other)


def _of_indexes(rows: list[tuple[str, str, bool, list[str]]]) -> Iterator[Rule]:
    for table, _name, unique, columns in rows:
        yield Rule(table=table, kind="index", columns=tuple(columns))
        if unique:
            yield Rule(table=table, kind="unique", columns=tuple(columns))
