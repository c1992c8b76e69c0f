"""Language models in GGUF files: what is believed of a file, and the process that runs one."""

import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.utils.translation import override

from localization.stored import retold
from providers.gguf import engine, header, memory, running
from providers.gguf.running import AlreadyRunning, Running, State
from providers.local_models import store
from providers.local_models.errors import NotInstalled
from providers.local_models.graph_files import gguf_of
from providers.local_models.install import Wish, install, plan
from providers.local_models.roles import LocalRole
from providers.local_models.sources import SourceFile
from providers.protocols import ProviderError
from providers.protocols.dialect import Dialect, Rung
from tests.processes import lives, wait_until
from tests.providers.small_gguf import CONTEXT, language_model

ROOT = Path(__file__).resolve().parents[3]
GB = 10**9
needs_engine = pytest.mark.skipif(not engine.is_here(), reason="llama.cpp is not installed here")


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    settings.MODELS_DIR = tmp_path / "data"


def test_a_header_tells_what_a_model_needs(tmp_path: Path) -> None:
    told = header.read(language_model(tmp_path / "small.gguf"))
    assert (told.architecture, told.context) == ("llama", CONTEXT)
    assert told.kv_bytes == 2 * 32 * 2, "keys and values of 32 numbers with 16 bits, in one layer"
    few = header.read(language_model(tmp_path / "few.gguf", **{"llama.attention.head_count_kv": [1]}))
    assert few.kv_bytes == told.kv_bytes / 2


def begins(*counts: int) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, *counts)


KEY = struct.pack("<Q", 1) + b"a"
HUGE = 2**62


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"GGUF\x03", "in the middle of its header"),
        (b"PK\x03\x04" + bytes(100), "does not begin as such a file does"),
        (b"GGUF" + struct.pack("<IQQ", 99, 1, 1), "its version is 99"),
        (begins(1, HUGE), "announces 4,611,686,018,427,387,904 settings"),
        (begins(HUGE, 1), "4,611,686,018,427,387,904 groups of weights"),
        (begins(1, 1) + struct.pack("<Q", HUGE), "announces a text of"),
        (begins(1, 1) + KEY + struct.pack("<IQ", 8, HUGE), "announces a text of"),
        (begins(1, 1) + KEY + struct.pack("<IIQ", 9, 4, HUGE), "announces a list of"),
        (begins(1, 1) + KEY + struct.pack("<IIQ", 9, 9, 2), "announces a list of"),
        (begins(1, 1) + KEY + struct.pack("<IIQQ", 9, 8, 2, HUGE), "in the middle of its header"),
        (begins(1, 1) + KEY + struct.pack("<I", 77), "a value of an unknown kind"),
        (begins(1, 0) + KEY + struct.pack("<I", 2**31), "2,147,483,648 dimensions"),
    ],
)
def test_a_file_that_lies_is_refused_in_words(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "bad.gguf"
    file.write_bytes(content)
    with pytest.raises(ProviderError) as refused:
        header.read(file)
    assert refused.value.message.startswith("bad.gguf is damaged or is no GGUF file: ")
    assert why in refused.value.message
    with override("de"):
        german = retold(refused.value.message)
    assert german.startswith("bad.gguf ist beschädigt oder keine GGUF-Datei: ")
    assert why not in german


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tokenizer.chat_template": None}, "not made to answer questions"),
        ({"general.architecture": "bert"}, "not a model that writes"),
        ({"split.count": 3}, "one of several parts"),
        ({"llama.block_count": None}, "does not say how many layers"),
    ],
)
def test_other_models_are_refused_in_words(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ProviderError, match=why):
        header.read(language_model(tmp_path / "other.gguf", **changes))


def test_a_transfer_that_broke_off_is_noticed(tmp_path: Path) -> None:
    file = language_model(tmp_path / "cut.gguf")
    file.write_bytes(file.read_bytes()[:20_000])
    with pytest.raises(ProviderError, match="weights end before they should"):
        header.read(file)


def test_as_much_is_read_at_once_as_there_is_memory_for() -> None:
    def context(free: float, trained: int = 32_768) -> int:
        return memory.context_for("Small", GB, 100_000, trained, round(free * GB))

    assert (context(8), context(3), context(2.5)) == (16_384, 8_192, 4_096)
    assert context(8, trained=2_000) == 2_000
    with pytest.raises(ProviderError, match=r"Small needs 1\.8 GB of memory.* has 1\.5 GB available"):
        context(1.5)


def test_a_model_on_the_same_processors_is_asked_once_unless_it_is_fast() -> None:
    of_server = Dialect(rung=Rung.OFFERED, reads=90, writes=20)
    here = replace(of_server, is_here=True)
    assert (of_server.searches, here.searches, replace(here, reads=900).searches) == (True, False, True)
    assert here.in_words.startswith("Too slow for several requests: SVQ searches")
    assert here.patience(1_000, 100) > of_server.patience(1_000, 100), "others keep the processors busy too"


def test_the_usual_file_of_several_is_chosen() -> None:
    names = [
        "m-BF16.gguf",
        "m-Q8_0.gguf",
        "m-Q4_K_M.gguf",
        "mmproj-m-Q4_K_M.gguf",
        "x-Q4_K_M-00001-of-00002.gguf",
    ]
    files = [SourceFile(path=name) for name in names]
    assert gguf_of(files, "") == "m-Q4_K_M.gguf"
    assert gguf_of(files, "m-Q8_0.gguf") == "m-Q8_0.gguf"
    with pytest.raises(NotInstalled, match="in one file"):
        gguf_of(files, names[-1])
    with pytest.raises(NotInstalled, match="several parts"):
        gguf_of(files[-1:], "")
    with pytest.raises(NotInstalled, match="copy with “GGUF” in its name"):
        gguf_of([SourceFile(path="model.safetensors")], "")


@needs_engine
def test_a_model_is_tried_in_a_child_before_it_is_kept(tmp_path: Path) -> None:
    file = language_model(tmp_path / "small.gguf")
    model = install(plan(Wish(role=LocalRole.CHAT, name="acme/small", origin=str(file))))
    assert store.find(LocalRole.CHAT, model.identity) == model
    assert (model.configuration.max_tokens, model.configuration.kv_bytes) == (CONTEXT, 128)
    # Its header is right, so that only llama.cpp itself can find the fault.
    language_model(file, **{"llama.embedding_length": 64, "llama.rope.dimension_count": 32})
    with pytest.raises(NotInstalled, match=r"llama\.cpp can't load the model"):
        install(plan(Wish(role=LocalRole.CHAT, name="acme/wrong", origin=str(file))))
    assert [each.identity for each in store.installed()] == [model.identity]
    assert not any((store.root() / store.PARTIAL).glob("*wrong*/*"))


def test_too_little_memory_is_told_before_anything_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = language_model(tmp_path / "small.gguf")
    monkeypatch.setattr(memory, "available", lambda: GB // 2)
    monkeypatch.setattr(engine, "is_here", lambda: True)
    with pytest.raises(NotInstalled, match=r"0\.5 GB are available on this machine"):
        plan(Wish(role=LocalRole.CHAT, name="acme/small", origin=str(file)))
    monkeypatch.setattr(engine, "is_here", lambda: False)
    with pytest.raises(NotInstalled, match=r"llama\.cpp is not installed here"):
        plan(Wish(role=LocalRole.CHAT, name="acme/small", origin=str(file)))


def test_what_a_killed_process_has_left_is_not_believed(tmp_path: Path) -> None:
    now = Running(identity="acme/small@01234567", state=State.READY, token="secret")
    running.tell(tmp_path, now)
    assert (tmp_path / running.FILE).stat().st_mode & 0o777 == 0o600
    assert running.last_known(tmp_path) is None
    with running.held(tmp_path):
        assert running.last_known(tmp_path) == now
        with pytest.raises(AlreadyRunning), running.held(tmp_path):
            pass
    assert running.last_known(tmp_path) is None


PARENT = """
import json, os, subprocess, sys, time
asked, fd = sys.argv[1], os.pipe()
child = subprocess.Popen([sys.executable, "-m", "providers.gguf.serving", asked], pass_fds=[fd[0]],
                         env=os.environ | {"SVQ_PARENT_PIPE_FD": str(fd[0])})
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int, Running]]:
    """A process that has started the one that runs the model; the number of that, and what it tells."""
    model = language_model(tmp_path / "small.gguf")
    asked = {
        "folder": str(tmp_path / "running"),
        "model": str(model),
        "identity": "acme/small@01234567",
        "context": 4096,
        "memory": GB,
    }
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, json.dumps(asked)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    pid = int(parent.stdout.readline())

    def ready() -> Running | None:
        now = running.last_known(tmp_path / "running")
        return now if now and now.state == State.READY else None

    try:
        yield parent, pid, wait_until(ready)
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()


@needs_engine
def test_the_server_is_for_this_machine_and_account_and_ends_with_its_parent(
    served: tuple[subprocess.Popen[str], int, Running], tmp_path: Path
) -> None:
    parent, pid, now = served
    assert now.address.startswith("http://127.0.0.1:")
    assert len(now.token) > 30
    strange = httpx.get(f"{now.address}/models", headers={"Origin": "https://evil.example"})
    assert strange.status_code == 401, "without the token"
    key = {"Authorization": f"Bearer {now.token}"}
    asked = httpx.get(f"{now.address}/models", headers=key | {"Origin": "https://evil.example"})
    assert asked.json()["data"][0]["id"] == now.identity
    assert not asked.headers.get("access-control-allow-origin"), "no page of another site reads it"
    assert now.token not in " ".join(Path(f"/proc/{pid}/cmdline").read_text().split("\0"))
    os.kill(parent.pid, signal.SIGKILL)
    wait_until(lambda: not lives(pid), "the end of the model's process")
    wait_until(lambda: running.last_known(tmp_path / "running") is None, "the end of its threads")
