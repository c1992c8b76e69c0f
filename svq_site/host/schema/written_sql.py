"""What the migrations of SVQ make with SQL of their own: functions, triggers, indexes, constraints."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.migrations import Migration, RunSQL
from django.db.migrations.loader import MigrationLoader

from svq_site.host.schema.values import Named

# In the order of the text, so that what is dropped later is not there. A body is part of its function.
OBJECTS = re.compile(
    r"""
    \b (?:
      CREATE \s+ (?:OR\s+REPLACE\s+)? FUNCTION \s+ (?P<function> \w+ ) .*? (?P<quote> \$\w*\$ ) (?P<body> .*? ) (?P=quote)
    | CREATE \s+ (?:OR\s+REPLACE\s+)? (?:CONSTRAINT\s+)? TRIGGER \s+ (?P<trigger> \w+ ) .*? \s ON \s+ (?P<watched> \w+ )
    | CREATE \s+ (?:UNIQUE\s+)? INDEX \s+ (?:CONCURRENTLY\s+)? (?:IF\s+NOT\s+EXISTS\s+)? (?P<index> \w+ ) \s+ ON \s+ (?P<indexed> \w+ )
    | ALTER \s+ TABLE \s+ (?P<altered> \w+ ) \s+ ADD \s+ CONSTRAINT \s+ (?P<constraint> \w+ )
    | DROP \s+ FUNCTION \s+ (?:IF\s+EXISTS\s+)? (?P<dropped_function> \w+ )
    | DROP \s+ (?:TRIGGER|INDEX|CONSTRAINT) \s+ (?:CONCURRENTLY\s+)? (?:IF\s+EXISTS\s+)? (?P<dropped> \w+ )
    )
    """,  # noqa: E501
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def objects() -> tuple[set[Named], dict[str, str]]:
    """What has a name within a table, and the bodies of functions by name."""
    named: set[Named] = set()
    functions: dict[str, str] = {}
    for match in OBJECTS.finditer("\n;".join(_statements())):
        if name := match["function"]:
            functions[name] = match["body"]
        elif name := match["trigger"]:
            named.add(Named(table=match["watched"], kind="trigger", name=name))
        elif name := match["index"] or match["constraint"]:
            table = match["indexed"] or match["altered"]
            named.add(Named(table=table, kind="constraint or index", name=name))
        elif name := match["dropped_function"]:
            functions.pop(name, None)
        else:
            named = {item for item in named if item.name != match["dropped"]}
    return named, functions


def _statements() -> Iterator[str]:
    for migration in migrations():
        for operation in migration.operations:
            if isinstance(operation, RunSQL):
                yield from texts(operation)


def migrations() -> Iterator[Migration]:
    """Those of SVQ itself, each after what it depends on."""
    graph = MigrationLoader(None).graph
    ours = {label for label, app in apps.app_configs.items() if _is_ours(Path(app.path))}
    seen = set()
    for leaf in sorted(graph.leaf_nodes()):
        for key in graph.forwards_plan(leaf):
            if key[0] in ours and key not in seen:
                seen.add(key)
                yield graph.nodes[key]


def texts(operation: RunSQL) -> list[str]:
    """The statements that it runs forwards; they may come with parameters."""
    given = [operation.sql] if isinstance(operation.sql, str) else operation.sql
    return [item if isinstance(item, str) else item[0] for item in given]


def _is_ours(folder: Path) -> bool:
    return folder.is_relative_to(settings.BASE_DIR) and "site-packages" not in folder.parts
