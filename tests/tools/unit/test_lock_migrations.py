"""No migration that was merged is ever rewritten: it has run on somebody's database, and won't again."""

import pytest
from django.db.migrations import Migration, RunSQL

from tests.desks import WITH_ALL
from tools.lock_migrations import digest, locked, normalised, present, problems

SOURCE = '''
"""What it is for."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("chat", "0001_initial")]

    operations = [
        # Why.
        migrations.AddField("turn", "mood", models.TextField()),
    ]
'''


@WITH_ALL
def test_each_migration_is_as_it_was_locked() -> None:
    assert not (found := problems(present(), locked())), "\n".join(found)


def test_what_is_rewritten_gone_or_new_is_named_with_what_to_do() -> None:
    found = problems({"chat.0001": "other", "chat.0003": "c"}, {"chat.0001": "a", "chat.0002": "b"})
    assert [line.split()[0] for line in found] == ["chat.0001", "chat.0002", "chat.0003"]
    assert "in a new migration" in found[0]
    assert "if it was never merged" in found[1]
    assert "python -m tools.lock_migrations" in found[2]


@pytest.mark.parametrize(
    "same",
    [
        SOURCE.replace("# Why.", "# Because."),
        SOURCE.replace("What it is for", "Another word for it"),
        SOURCE.replace('("turn", ', '(\n            "turn",\n            '),
        SOURCE.replace(
            '[("chat", "0001_initial")]', '[\n        ("a", "0001"),\n        ("b", "0002"),\n    ]'
        ),
    ],
)
def test_words_layout_and_dependencies_may_change(same: str) -> None:
    assert same != SOURCE
    assert normalised(same) == normalised(SOURCE)


def test_what_is_done_may_not_change() -> None:
    assert normalised(SOURCE.replace("mood", "tone")) != normalised(SOURCE)


def test_sql_that_comes_from_another_file_counts() -> None:
    def made(sql: str) -> str:
        migration = type("Migration", (Migration,), {"operations": [RunSQL(sql)], "__module__": __name__})
        return digest(migration("0001", "chat"))

    assert made("SELECT 1") == made("SELECT\n    1")
    assert made("SELECT 1") != made("SELECT 2")
