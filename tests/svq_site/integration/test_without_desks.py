"""The core runs without the desks: evaluation, tables, compliance and research are left out by a setting."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from desks.left_out import DESKS
from tests.database import connected_to, empty_database, migrated
from tests.processes import url_of_test_database


@pytest.fixture(scope="module")
def lived(django_db_setup: None, django_db_blocker: Any) -> dict[str, Any]:
    """What a process without desks has seen (see tests.svq_site.without_desks), once the commands that the
    check names have been run.
    """
    with django_db_blocker.unblock(), empty_database(template=migrated()) as name, connected_to(name):
        refused = without_desks("manage.py", "check", "--database", "default")
        for command in re.findall(r"manage\.py (migrate \w+ zero)", refused.stderr):
            call_command(*command.split(), verbosity=0)
        ended = without_desks("-m", "tests.svq_site.without_desks")
    if ended.returncode:
        pytest.fail(ended.stderr[-3000:], pytrace=False)
    return json.loads(ended.stdout.splitlines()[-1]) | {"refused": (refused.returncode, refused.stderr)}


def without_desks(*command: str) -> subprocess.CompletedProcess[str]:
    given = os.environ | {"DATABASE_URL": url_of_test_database(), "SVQ_LEAVE_OUT": ",".join(DESKS)}
    python = [sys.executable, *command]
    return subprocess.run(python, cwd=settings.BASE_DIR, env=given, capture_output=True, text=True)


def test_it_does_not_start_while_desks_have_tables(lived: dict[str, Any]) -> None:
    code, told = lived["refused"]
    assert code != 0
    assert all(f"SVQ_LEAVE_OUT names “{desk}”, and the database has tables of it." in told for desk in DESKS)


def test_a_question_is_answered_and_a_document_deleted(lived: dict[str, Any]) -> None:
    assert (lived["answer"], lived["documents"]) == ("quotes", 0)
    assert lived["quotes"] > 0
    assert lived["handed"] == "1 datasource"


def test_pages_open_and_those_of_desks_are_gone(lived: dict[str, Any]) -> None:
    gone = {address for address, status in lived["pages"].items() if status == 404}
    opened = {address for address, status in lived["pages"].items() if status == 200}
    assert gone | opened == lived["pages"].keys()
    assert {address.strip("/").split("/")[-1] for address in gone} == {
        *("frameworks", "tables", "gaps", "evaluation", "papers")
    }
    assert len([address for address in gone if "tables" in address]) == 2  # the page, and REST


def test_a_job_that_was_queued_for_a_desk_waits(lived: dict[str, Any]) -> None:
    assert lived["job"] == "todo"


def test_nothing_leads_to_a_desk(lived: dict[str, Any]) -> None:
    assert "/graph/" in lived["tabs"]
    assert not [name for name in ("/tables/", "/gaps/", "/evaluation/", "/papers/") if name in lived["tabs"]]
    assert "/frameworks/" not in lived["tabs"]


def test_no_desk_has_a_table_or_a_module_with_rows(lived: dict[str, Any]) -> None:
    assert lived["tables"] == []
    of_desks = {name for name in lived["loaded"] if name.partition(".")[0] in DESKS}
    assert of_desks <= {"compliance", "desks.compliance.verdicts"}
