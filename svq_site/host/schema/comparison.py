"""Does the database have what this version needs? The names of its migrations alone do not say so."""

from collections.abc import Iterator

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from svq_site.host.schema.expected import expected
from svq_site.host.schema.found import found
from svq_site.host.schema.values import Column, Rule, Schema

ADVICE = (
    "No stored row was changed, and what needs none of this works. Another version wrote this database, or"
    " somebody changed it by hand. Make a backup first. Then use the version that wrote it, or make what is"
    " missing with the statements that `manage.py sqlmigrate APP MIGRATION` prints."
)


def differences() -> list[str]:
    """Each in words, the worst first. Raises DatabaseError."""
    return [*unknown_migrations(), *compare(expected(), found())]


def unknown_migrations() -> list[str]:
    loader = MigrationLoader(connection)
    unknown = set(loader.applied_migrations) - set(loader.disk_migrations)
    ours = sorted(key for key in unknown if key[0] in loader.migrated_apps)
    return [f"migration {app} {name} was applied, and this version does not have it" for app, name in ours]


def compare(needed: Schema, there: Schema) -> list[str]:
    """What is needed and not there, or there in another form."""
    common = sorted(needed.tables.keys() & there.tables.keys())
    return [
        *(f"table {table} is missing" for table in sorted(needed.tables.keys() - there.tables.keys())),
        *(line for table in common for line in _columns(table, needed, there)),
        *(_in_words(rule) for rule in sorted(needed.rules - there.rules, key=repr) if rule.table in common),
        *(
            f"{item.kind} {item.name} of table {item.table} is missing"
            for item in sorted(needed.named - there.named, key=repr)
            if item.table in common
        ),
        *_functions(needed, there),
    ]


def _columns(table: str, needed: Schema, there: Schema) -> Iterator[str]:
    wanted, has = needed.tables[table], there.tables[table]
    for name, column in wanted.items():
        if name not in has:
            yield f"column {table}.{name} is missing"
        else:
            yield from _column(f"column {table}.{name}", column, has[name])
    for name in has.keys() - wanted.keys():
        if not has[name].filled:
            yield f"column {table}.{name} has to be filled, and this version does not know it"


def _column(name: str, wanted: Column, has: Column) -> Iterator[str]:
    if wanted.type not in (None, has.type):
        yield f"{name} is of the type {has.type} instead of {wanted.type}"
    if wanted.nullable is True and not has.nullable:
        yield f"{name} has to be filled, and this version may leave it empty"
    if wanted.nullable is False and has.nullable:
        yield f"{name} may be empty, and must not be"


def _in_words(rule: Rule) -> str:
    target = f" to {rule.to}" if rule.to else ""
    return f"{rule.kind} on {rule.table} ({', '.join(rule.columns)}){target} is missing"


def _functions(needed: Schema, there: Schema) -> Iterator[str]:
    for name, body in sorted(needed.functions.items()):
        if name not in there.functions:
            yield f"function {name} is missing"
        elif there.functions[name].strip() != body.strip():
            yield f"function {name} is not that of this version"
