"""Statements come out of files by name: every one that is named is there, every one there is named."""

import re
from pathlib import Path

import pytest

import graph.sql
import ingestion.sql
import jobs.sql
import retrieval.sql
from sql import Statements, array

ROOT = Path(__file__).resolve().parents[3]
HOMES = (graph.sql, ingestion.sql, jobs.sql, retrieval.sql)


def write(folder: Path, **files: str) -> Statements:
    for name, text in files.items():
        (folder / f"{name}.sql").write_text(text, encoding="utf-8")
    return Statements(folder)


def test_a_statement_is_what_follows_its_name(tmp_path: Path) -> None:
    statements = write(tmp_path, a="-- About a.\n\n-- :name one\nSELECT 1\n\n-- :name two\nSELECT 2\n")
    assert (statements["one"], statements["two"]) == ("SELECT 1", "SELECT 2")


def test_a_statement_includes_another_of_any_file(tmp_path: Path) -> None:
    statements = write(
        tmp_path,
        a="-- :name whole\nSELECT id FROM (\n-- :include part\n) p",
        b="-- :name part\nSELECT 1 AS id",
    )
    assert statements["whole"] == "SELECT id FROM (\nSELECT 1 AS id\n) p"


def test_a_name_is_given_once(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="two statements are named one"):
        write(tmp_path, a="-- :name one\nSELECT 1\n", b="-- :name one\nSELECT 2\n")


@pytest.mark.parametrize(
    ("values", "written"),
    [([], "{}"), ([1, -2], "{1,-2}"), (['say "no"', "a\\b"], r'{"say \"no\"","a\\b"}')],
)
def test_a_list_is_written_as_postgres_reads_it(values: list[object], written: str) -> None:
    assert array(values) == written


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.__name__)
def test_what_is_named_is_there_and_what_is_there_is_named(home: object) -> None:
    app = ROOT / str(home.__name__).partition(".")[0]  # type: ignore[attr-defined]
    code = "\n".join(file.read_text(encoding="utf-8") for file in app.rglob("*.py"))
    files = "\n".join(file.read_text(encoding="utf-8") for file in app.rglob("*.sql"))
    there = set(re.findall(r"^-- :name (\w+)$", files, re.MULTILINE))
    named = set(re.findall(r'\b(?:query\(\s*|statements\[)"(\w+)"', code))
    assert there
    assert named <= there
    mentioned = set(re.findall(r'"(\w+)"', code)) | set(
        re.findall(r"^-- :include (\w+)$", files, re.MULTILINE)
    )
    assert there <= mentioned
