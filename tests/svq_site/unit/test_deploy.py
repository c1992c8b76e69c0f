"""What lies under deploy/ fits the product: its commands can be parsed, its settings exist, it is closed."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class

from tests.svq_site.unit.test_settings_reference import variables_in_reference

DEPLOY = settings.BASE_DIR / "deploy"
COMPOSE = sorted((DEPLOY / "compose").glob("*.yaml"))
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
EXPOSURE = 20  # tenths, of systemd-analyze: 1.7 as it is
ANALYZE = ("systemd-analyze", "security", "--offline=true")


def services(path: Path) -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text())["services"]
    return loaded


def is_parsed(command: list[str]) -> bool:
    """Whether `manage.py` takes these arguments; it ends the process where it does not."""
    name, *arguments = command
    loaded = load_command_class(get_commands()[name], name)
    loaded.create_parser("manage.py", name).parse_args(arguments)
    return True


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.stem)
def test_containers_run_commands_that_exist_and_are_closed(path: Path) -> None:
    found = services(path)
    ours = [service for service in found.values() if service["image"].startswith("svq:")]
    assert len(ours) == 5
    assert all(is_parsed(service["command"]) for service in ours)
    for name, service in found.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
    served = {queue for service in ours for queue in queues(service["command"])}
    assert served == {"agent", "ingest", "upkeep", "runs", "heavy"}


def queues(command: list[str]) -> list[str]:
    if command[0] == "upkeep":
        return ["upkeep", "runs", "heavy"]
    return [command[at + 1] for at, word in enumerate(command) if word == "--queue"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_units_run_commands_that_exist(path: Path) -> None:
    started = re.search(r"^ExecStart=\S+ manage\.py (.+)$", path.read_text(), re.MULTILINE)
    assert started
    assert is_parsed(shlex.split(started[1].replace("%i", "01")))


def test_settings_of_the_examples_exist() -> None:
    text = (DEPLOY / "compose" / "svq.env.example").read_text()
    named = re.findall(r"^#?([A-Z_0-9]+)=", text, re.MULTILINE)
    assert {"SVQ_SECRET_KEY", "SVQ_DATABASE_DIRECT_URL"} <= set(named) <= set(variables_in_reference())


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_units_are_rated_as_closed(tmp_path: Path) -> None:
    folder = tmp_path / "etc" / "systemd" / "system"
    shutil.copytree(DEPLOY / "systemd", folder)
    names = [path.name.replace("@", "@01") for path in UNITS]
    rated = subprocess.run(
        [*ANALYZE, f"--root={tmp_path}", f"--threshold={EXPOSURE}", *names],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout[-2000:] + rated.stderr
    assert "Unknown" not in rated.stderr


def test_nothing_but_the_product_goes_into_the_image() -> None:
    left_out = (settings.BASE_DIR / ".dockerignore").read_text().split()
    assert {".*", "var", "tests", "deploy"} <= set(left_out)  # keys and data of a checkout are in var
