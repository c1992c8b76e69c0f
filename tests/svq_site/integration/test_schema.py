"""Whether the database has what this version needs: the list of migrations may say so, and be wrong."""

import io

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from svq_site.host.doctor import tables
from svq_site.host.schema.comparison import differences
from svq_site.host.schema.expected import expected
from svq_site.host.schema.found import found
from svq_site.management.commands.up import Command as Up

pytestmark = pytest.mark.django_db


def change(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def test_a_migrated_database_is_as_this_version_needs_it() -> None:
    assert differences() == []
    assert tables().ok


def test_no_trigger_and_no_function_of_ours_is_overlooked() -> None:
    needed, there = expected(), found()
    triggers = {item.name for item in there.named if item.kind == "trigger"}
    of_jobs = {name for name in (*triggers, *there.functions) if name.startswith("procrastinate_")}
    assert triggers - of_jobs == {item.name for item in needed.named if item.kind == "trigger"}
    assert there.functions.keys() - of_jobs == needed.functions.keys()


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("DROP TABLE chat_paidreply", "table chat_paidreply is missing"),
        (
            "DROP TABLE compliance_subject_documents",
            "table compliance_subject_documents is missing",
        ),
        ("ALTER TABLE chat_turn DROP COLUMN seconds", "column chat_turn.seconds is missing"),
        (
            "ALTER TABLE chat_turn ALTER COLUMN number TYPE bigint",
            "column chat_turn.number is of the type bigint instead of integer",
        ),
        (
            "ALTER TABLE ingestion_vectorspace ALTER COLUMN model TYPE varchar(7)",
            "column ingestion_vectorspace.model is of the type character varying(7)",
        ),
        (
            "ALTER TABLE chat_turn ALTER COLUMN question DROP NOT NULL",
            "column chat_turn.question may be empty, and must not be",
        ),
        (
            "ALTER TABLE chat_turn ADD COLUMN mood text NOT NULL",
            "column chat_turn.mood has to be filled, and this version does not know it",
        ),
        (
            "ALTER TABLE ingestion_vectorspace DROP CONSTRAINT one_space_per_model",
            "constraint or index one_space_per_model of table ingestion_vectorspace is missing",
        ),
        (
            "DROP INDEX one_current_space",
            "constraint or index one_current_space of table ingestion_vectorspace is missing",
        ),
        (
            "ALTER TABLE graph_entityposition DROP CONSTRAINT position_of_entity",
            "constraint or index position_of_entity of table graph_entityposition is missing",
        ),
        ("DROP INDEX job_lanes", "constraint or index job_lanes of table procrastinate_jobs is missing"),
        (
            "DROP TRIGGER access_changed_1 ON datasources_membership",
            "trigger access_changed_1 of table datasources_membership is missing",
        ),
        (
            "CREATE OR REPLACE FUNCTION ingestion_lock_terms(datasource bigint) RETURNS void"
            " LANGUAGE sql AS $$ SELECT $$",
            "function ingestion_lock_terms is not that of this version",
        ),
        ("DROP FUNCTION fetch_job_in_turn", "function fetch_job_in_turn is missing"),
        ("DROP TABLE procrastinate_periodic_defers", "table procrastinate_periodic_defers is missing"),
        ("ALTER TABLE procrastinate_jobs DROP COLUMN priority CASCADE", "column procrastinate_jobs.priority"),
    ],
)
def test_what_differs_is_named(done: str, said: str) -> None:
    change(done)
    items = tables().items
    assert any(item.startswith(said) for item in items), items


@pytest.mark.parametrize("kind", ["foreign key", "unique", "check", "index"])
def test_what_has_no_name_of_ours_is_missed_as_well(kind: str) -> None:
    rule = min((rule for rule in expected().rules if rule.kind == kind and len(rule.columns) == 1), key=repr)
    with connection.cursor() as cursor:
        made = connection.introspection.get_constraints(cursor, rule.table)
    for name in (name for name, of in made.items() if of["columns"] == list(rule.columns)):
        change(
            f'ALTER TABLE {rule.table} DROP CONSTRAINT IF EXISTS "{name}" CASCADE',
            f'DROP INDEX IF EXISTS "{name}"',
        )
    assert any(item.startswith(f"{kind} on {rule.table} ({rule.columns[0]})") for item in differences())


def test_a_migration_of_another_version_is_named() -> None:
    MigrationRecorder(connection).record_applied("chat", "0099_of_tomorrow")
    assert "migration chat 0099_of_tomorrow was applied" in tables().items[0]


def test_doctor_says_what_is_safe_and_what_to_do() -> None:
    change("DROP TABLE chat_paidreply")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    text = " ".join(out.getvalue().split())
    assert "FAILED tables" in text
    assert "table chat_paidreply is missing" in text
    assert "No stored row was changed" in text
    assert "Make a backup first" in text


def test_up_says_so_and_starts_all_the_same() -> None:
    change("DROP TABLE chat_paidreply", "ALTER TABLE chat_turn DROP COLUMN seconds")
    out = io.StringIO()
    Up(stdout=out).prepare()
    assert "table chat_paidreply is missing, and 1 more. No stored row was changed" in out.getvalue()
