"""The how-to page about Python: its code runs as it stands there, against a real web server and worker."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from accounts.api_tokens import make_token
from accounts.models import TokenScope, User
from datasources.models import Datasource
from exchange.webhooks.signing import headers, new_secret
from tests.browser import Live
from tests.factories import SAMPLE

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> str:
    """All code of the page as one program, on the lines where it stands there."""
    text, program = page.read_text(), ""
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start(1))
        program += "\n" * (line - program.count("\n")) + found[1]
    return program


def test_the_code_of_the_page_runs(
    live: Live, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    _, token = make_token(alice, name="Program", scopes=list(TokenScope), datasource_ids=None, days=1)
    secret = new_secret()
    given = {"SVQ_ADDRESS": live.base_url, "SVQ_TOKEN": token, "SVQ_WEBHOOK_SECRET": secret}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    Path("lease.pdf").write_bytes(SAMPLE.read_bytes())

    page, made = ROOT / "docs/how-to/use-svq-from-python.md", dict[str, Any]()
    exec(compile(blocks(page), str(page), "exec"), made)
    made["client"].close()

    said = capsys.readouterr().out
    assert "1 of 1: " in said
    assert "is ready" in said
    assert "kept for 90 days" in said
    assert re.search(r"on the page: exact; carries the claim: none", said)
    assert re.search(r"^\d+ \[\(\d+\.\d+, ", said, re.MULTILINE), "boxes"
    assert "question_missing 400" in said
    assert Path("proof.webp").read_bytes()[8:12] == b"WEBP"
    assert made["text"].strip(), "pieces came"
    assert (made["answer"].status, made["answer"].question) == ("quotes", "Where are backups kept?")
    assert [answer.status for answer in made["answers"]] == ["quotes", "quotes"]
    signed = headers(secret, "msg_1", int(time.time()), "{}")
    assert (made["receive"](signed, b"{}"), made["receive"](signed, b"[]")) == (204, 401)
    assert not Datasource.objects.get(name="Leases").documents.current().exists()


def test_the_code_of_the_readme_runs(
    live: Live, alice: User, contracts: Datasource, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    _, token = make_token(alice, name="Program", scopes=list(TokenScope), datasource_ids=None, days=1)
    program = blocks(ROOT / "clients/python/README.md")
    program = program.replace("https://svq.example.org", live.base_url).replace("svq_…", token)
    exec(compile(program, "README.md", "exec"), {})
    assert " []" in capsys.readouterr().out, "nothing is there that answers"
