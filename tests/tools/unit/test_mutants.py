"""`make mutants`: which tests it runs, what it changes, and what it says."""

from pathlib import Path

import pytest

from tools import mutants


@pytest.mark.parametrize(
    "app", ["citations", "retrieval", "retrieval/engine/fusion.py", "providers/spending"]
)
def test_unit_tests_that_import_the_code_are_run_and_no_others(app):
    tests = mutants.tests_of(Path(app))
    assert tests
    assert all("/unit/" in test for test in tests)


def test_test_that_imports_a_module_from_its_package_is_found():
    assert "tests/tools/unit/test_mutants.py" in mutants.tests_of(Path("tools/mutants.py"))
    assert "tests/tools/unit/test_lock_migrations.py" not in mutants.tests_of(Path("tools/mutants.py"))


def test_only_the_named_code_is_changed_and_all_else_is_copied(tmp_path):
    for name in ("answering", "graph", "manage.py", "mutants"):
        (tmp_path / name).mkdir()
    written = mutants.settings(Path("answering/stages"), tmp_path, ["tests/answering/unit/test_stages.py"])
    assert "source_paths=answering\nonly_mutate=answering/stages/*\n" in written
    assert "also_copy=\n    graph\n    manage.py\n" in written
    assert "only_mutate=graph/urls.py\n" in mutants.settings(Path("graph/urls.py"), tmp_path, [])


def test_share_counts_what_tests_reach():
    figures = {"killed": 80, "survived": 18, "timeout": 1, "suspicious": 1, "no_tests": 30}
    assert mutants.summary(figures) == "82 of 100 mutants noticed (82%); 30 in code no unit test reaches."
    assert mutants.summary(dict.fromkeys(figures, 0)).startswith("0 of 0 mutants noticed (none)")
