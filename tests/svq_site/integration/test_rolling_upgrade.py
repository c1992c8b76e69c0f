"""Hosts are upgraded one after the other: code of the version before works on the database of the next."""

from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django_migration_linter.sql_analyser import PostgresqlAnalyser, analyse_sql_statements

from svq_site.host.schema.written_sql import migrations as own_migrations

pytestmark = pytest.mark.django_db

# Merged while an upgrade still stopped every host. What is added here says beside its name since which
# version no code needs what goes: that is the one before, at the latest.
IN_ONE_STEP = {
    *("accounts.0004_audit_log", "accounts.0005_people", "accounts.0010_group_names"),
    *("accounts.0011_directories", "chat.0002_conversation_api_token", "chat.0003_confirmed_by"),
    *("chat.0005_differ", "chat.0006_turn_prompts", "chat.0007_read_whole", "chat.0008_imported_turns"),
    *("connections.0004_private_webhooks", "connections.0005_ownersmay_private_connectors"),
    *("connectors.0002_what_may_go", "connectors.0004_waits_and_first_sight", "connectors.0005_brought"),
    *("datasources.0003_file_properties", "datasources.0006_matters", "datasources.0008_read_elsewhere"),
    *("ingestion.0002_chunks_by_text", "jobs.0003_fetch_side_by_side", "openid.0002_saml"),
    *("webhooks.0002_waits_and_reasons", "webhooks.0004_whose_it_is"),
}


def name_of(migration: Migration) -> str:
    return f"{migration.app_label}.{migration.name}"


def stumbling_blocks(loader: MigrationLoader, migration: Migration) -> set[str]:
    """Codes of what the version before fails at (DROP_COLUMN, NOT_NULL ...) or waits for (CREATE_INDEX)."""
    statements = loader.collect_sql([(migration, False)])
    errors, _, warnings = analyse_sql_statements(PostgresqlAnalyser, statements, [])
    return {found.code for found in [*errors, *warnings]}


def test_the_version_before_goes_on_after_each_migration() -> None:
    loader = MigrationLoader(connection)
    later = [migration for migration in own_migrations() if not migration.name.startswith("0001_")]
    blocked = {name_of(found): codes for found in later if (codes := stumbling_blocks(loader, found))}
    new = {name: codes for name, codes in blocked.items() if name not in IN_ONE_STEP}
    assert not new, f"expand first, contract a version later (CONTRIBUTING.md): {new}"
    assert blocked.keys() == IN_ONE_STEP, "named, but nothing in it blocks"


@pytest.mark.parametrize(
    ("operation", "blocks"),
    [
        (migrations.RemoveField("turn", "question"), {"DROP_COLUMN"}),
        (migrations.RenameField("turn", "question", "asked"), {"RENAME_COLUMN"}),
        (migrations.DeleteModel("citation"), {"DROP_TABLE"}),
        (migrations.AddField("turn", "mood", models.TextField(default="")), {"NOT_NULL"}),
        (migrations.AddField("turn", "mood", models.TextField(db_default="")), set()),
        (migrations.AddField("turn", "mood", models.TextField(null=True)), set()),
        (migrations.CreateModel("mood", [("id", models.BigAutoField(primary_key=True))]), set()),
    ],
)
def test_what_the_version_before_stumbles_over_is_found(operation: Any, blocks: set[str]) -> None:
    loader = MigrationLoader(connection)
    _, last = max(key for key in loader.graph.leaf_nodes() if key[0] == "chat")
    migration = type("Migration", (Migration,), {"operations": [operation], "dependencies": [("chat", last)]})
    added = migration("9999_tried", "chat")
    loader.graph.add_node(("chat", "9999_tried"), added)
    loader.graph.add_dependency(added, ("chat", "9999_tried"), ("chat", last))
    assert stumbling_blocks(loader, added) == blocks
