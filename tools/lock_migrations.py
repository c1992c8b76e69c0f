"""Locks new migrations: `python -m tools.lock_migrations`, before one is merged.

A migration that was merged has run on somebody's database and never runs there again, so it is never
rewritten: what has to change is a new migration. `migrations.lock` has a line for each, and a test compares.
The lock covers the code without comments and layout, and the SQL that it runs, also where that comes from
another file. Dependencies are left out: a missing one may be added.
"""

import ast
import hashlib
import inspect
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.migrations import Migration

LOCK = Path(__file__).resolve().parent.parent / "migrations.lock"
REWRITTEN = (
    "was rewritten after it was merged. Restore it from main, and change the database in a new migration."
)
GONE = "is missing. Restore it; if it was never merged, restore migrations.lock from main."
NEW = "is not locked yet. Run `python -m tools.lock_migrations`."


def present() -> dict[str, str]:
    """The hash of each migration of SVQ by its name, such as "chat.0001_initial"."""
    from svq_site.host.schema.written_sql import migrations

    return {f"{made.app_label}.{made.name}": digest(made) for made in migrations()}


def digest(migration: "Migration") -> str:
    from django.db.migrations import RunSQL

    from svq_site.host.schema.written_sql import texts

    source = inspect.getsource(sys.modules[type(migration).__module__])
    statements = [
        " ".join(text.split())
        for operation in migration.operations
        if isinstance(operation, RunSQL)
        for text in texts(operation)
    ]
    return hashlib.sha256("\n".join([normalised(source), *statements]).encode()).hexdigest()


def normalised(source: str) -> str:
    """Without spaces, lines of comment, docstrings and dependencies. The same with every Python."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and (is_docstring(node) or names_dependencies(node)):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or 0) - node.lineno + 1)
    return "".join("".join(line.split()) for line in lines if not line.lstrip().startswith("#"))


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def names_dependencies(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "dependencies"


def locked() -> dict[str, str]:
    return dict(line.split() for line in LOCK.read_text().splitlines()) if LOCK.exists() else {}


def problems(present: dict[str, str], locked: dict[str, str]) -> list[str]:
    """What is wrong, and what to do about it, for each migration that is not as it was locked."""
    rewritten = [f"{name} {REWRITTEN}" for name in locked if present.get(name, locked[name]) != locked[name]]
    gone = [f"{name} {GONE}" for name in locked if name not in present]
    return [*rewritten, *gone, *(f"{name} {NEW}" for name in present if name not in locked)]


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    os.environ.setdefault("DATABASE_URL", "postgresql:///unused")
    import django

    django.setup()
    there, before = present(), locked()
    if found := [line for line in problems(there, before) if not line.endswith(NEW)]:
        print("\n".join(found), file=sys.stderr)
        return 1
    lines = sorted(f"{name} {value}\n" for name, value in (there | before).items())
    LOCK.write_text("".join(lines))
    print("\n".join(f"{name} is locked." for name in there if name not in before) or "All are locked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
