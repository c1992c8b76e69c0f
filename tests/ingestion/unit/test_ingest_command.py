"""The command that reads files starts without what only pages need."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CODE = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "svq_site.settings"
import django
django.setup()
from django.core.management import load_command_class
command = load_command_class("ingestion", "ingest")
if command.requires_system_checks:
    command.check()
print("svq_site.urls" in sys.modules)
"""


def test_no_page_is_loaded_to_read_files(tmp_path: Path) -> None:
    """They take two seconds of the processor."""
    environment = {"SVQ_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split()[-1:] == ["False"], done.stderr
