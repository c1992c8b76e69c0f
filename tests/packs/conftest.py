"""A key of a deployment for tests: made anew, in a folder of its own."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Any) -> Path:
    """Where the deployment keeps its signing key."""
    settings.DATA_DIR = tmp_path / "data"
    settings.SIGNING_KEY = b""
    return Path(settings.DATA_DIR)
