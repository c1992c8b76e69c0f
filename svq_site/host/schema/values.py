"""What a database is made of, as far as it is compared: what it has, or what this version needs."""

from collections.abc import Mapping, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """type: in Postgres's words; None where it is not compared, as is `nullable`.

    filled: whether a row that says nothing about it gets a value.
    """

    type: str | None
    nullable: bool | None
    filled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A key, an index or a check, known by its columns: its name is Django's or another tool's choice.

    kind: "primary key", "unique", "foreign key", "index" or "check"; to: the table that a foreign key names.
    """

    table: str
    kind: str
    columns: tuple[str, ...]
    to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What has a name within its table. kind: "constraint or index", or "trigger"."""

    table: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """functions: the body of each."""

    tables: Mapping[str, Mapping[str, Column]]
    rules: Set[Rule]
    named: Set[Named]
    functions: Mapping[str, str]
