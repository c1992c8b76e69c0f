"""Loaded before Django's settings: the tests' own data folder and their own embedded Postgres."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
os.environ["SVQ_DATA_DIR"] = os.environ.get("SVQ_TEST_DATA_DIR") or str(ROOT / "var" / "test")
for name in list(os.environ):
    # What the developer has configured must not reach the tests.
    if name.startswith(("SVQ_LLM", "SVQ_EMBEDDING", "SVQ_S3")):
        del os.environ[name]

from svq_site.database import start_embedded  # noqa: E402

start_embedded()
