"""Bundles with more than is read of them are refused. Where columns are missing, every row is there."""

import json
import re
from collections.abc import Callable, Collection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource
from exchange.bundles import checking, services
from exchange.bundles.contents import CARRIED, Scope, Table
from exchange.bundles.errors import BundleError
from exchange.bundles.reading import RELIED_ON, may_lack
from tests.bundles.made import altered, bundle_of

pytestmark = pytest.mark.django_db(transaction=True)

Change = Callable[[dict[str, bytes], dict[str, Any]], None]


@pytest.fixture
def whole(world: SimpleNamespace, tmp_path: Path) -> Path:
    return bundle_of(Datasource.objects.get(pk=world.datasource), tmp_path / "whole.zip", conversations=True)


def without_columns(left_out: Callable[[Table], Collection[str]]) -> Change:
    """As a version that did not have them yet would write it."""

    def change(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        for table in CARRIED:
            if table.only_vectors:
                continue
            names = left_out(table)
            said["columns"][table.label] = [each for each in table.columns if each not in names]
            rows = [json.loads(line) for line in parts[table.name].splitlines()]
            kept = [{name: row[name] for name in row if name not in names} for row in rows]
            parts[table.name] = b"".join(json.dumps(row).encode() + b"\n" for row in kept)

    return change


def rows_in(datasource: Datasource) -> dict[str, int]:
    scope = Scope(datasource=datasource.pk, person=datasource.owner_id, conversations=True)
    return {table.label: table.chosen(scope).count() for table in CARRIED}


def test_a_row_without_columns_that_a_bundle_may_lack_comes_in_with_what_a_new_row_has(
    world: SimpleNamespace, whole: Path, charlie: User
) -> None:
    def may_be_missing(table: Table) -> list[str]:
        pairs = zip(table.fields, table.columns, strict=True)
        return [name for column, name in pairs if may_lack(table, column)]

    there = services.take_in(charlie, altered(whole, without_columns(may_be_missing))).datasource
    assert there
    assert rows_in(there) == rows_in(Datasource.objects.get(pk=world.datasource))


@pytest.mark.parametrize(
    ("label", "column"),
    [(label, name) for label, names in RELIED_ON.items() for name in sorted(names)] + [("chat.Turn", "id")],
)
def test_a_column_that_checks_rely_on_is_missed(whole: Path, label: str, column: str) -> None:
    change = without_columns(lambda table: [column] if table.label == label else [])
    refused = re.escape(f"rows/{label}.jsonl lacks the column {column}.")
    with pytest.raises(BundleError, match=refused), checking.checked(altered(whole, change)):
        pass


def test_no_row_of_a_table_is_passed_over(whole: Path) -> None:
    for table in CARRIED:

        def without_the_table(
            parts: dict[str, bytes], said: dict[str, Any], label: str = table.label
        ) -> None:
            del said["columns"][label]

        refused = f"{table.label} has rows, its manifest does not say which columns"
        path = altered(whole, without_the_table)
        with pytest.raises(BundleError, match=refused), checking.checked(path):
            pass


def test_a_manifest_without_any_columns_is_refused_in_words(whole: Path) -> None:
    def without_any(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        said["columns"] = {}

    path = altered(whole, without_any)
    with pytest.raises(BundleError, match="its manifest does not say which columns"), checking.checked(path):
        pass


def test_rows_that_only_the_manifest_counts_are_missed(whole: Path) -> None:
    def counted_alone(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        del said["columns"]["tables.Cell"], parts["rows/tables.Cell.jsonl"]

    with (
        pytest.raises(BundleError, match=r"tables\.Cell has rows"),
        checking.checked(altered(whole, counted_alone)),
    ):
        pass


def test_no_file_is_passed_over(whole: Path) -> None:
    def with_another_file(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        parts["originals/77/lease.pdf"] = b"%PDF"

    path = altered(whole, with_another_file)
    refused = re.escape("originals/77/lease.pdf is a file of no document.")
    with pytest.raises(BundleError, match=refused), checking.checked(path):
        pass
