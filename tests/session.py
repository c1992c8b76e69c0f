"""Loaded before Django's settings: the tests' own data folder, and no configuration of the developer's."""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import certifi

from tests import programs

ROOT = Path(__file__).resolve().parent.parent


def data_dir() -> Path:
    """SVQ_TEST_DATA_DIR, else var/test here, unless root started the tests below a folder of its own.

    Root's Postgres runs as another user, who could not reach that.
    """
    if given := os.environ.get("SVQ_TEST_DATA_DIR"):
        return Path(given)
    if os.geteuid() == 0 and any(not folder.stat().st_mode & 0o001 for folder in (ROOT, *ROOT.parents)):
        name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"svq-test-{name}"
    return ROOT / "var" / "test"


def one_authority() -> Path:
    """The first of the public certificate authorities, in a file of its own.

    Each HTTP client reads all of them when it is made, 20 milliseconds, and no test speaks to any.
    """
    path = data_dir() / "one-authority.pem"
    if not path.exists():
        first, end, _rest = Path(certifi.where()).read_text().partition("-----END CERTIFICATE-----\n")
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_suffix(f".{os.getpid()}")
        whole.write_text(first + end)
        whole.replace(path)  # several processes begin at once
    return path


os.environ["SVQ_DATA_DIR"] = str(data_dir())
os.environ["SSL_CERT_FILE"] = str(one_authority())
# Many containers keep no compiled modules: then each of hundreds of processes compiles all of them again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
programs.hide()
for name in list(os.environ):
    # What the developer has configured must not reach the tests.
    if name.startswith(("SVQ_LLM", "SVQ_EMBEDDING", "SVQ_S3")):
        del os.environ[name]
