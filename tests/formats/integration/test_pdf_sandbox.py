"""PDFs are read in a process of their own: whatever happens in it, the rest of the document is read."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import psutil
import pypdf
import pytest

from formats import ExtractionError, Limits
from formats.base import sandbox
from formats.pdf import asking, reader
from formats.pdf.reader import read_pdf
from tests.formats.pdfs import error_of, make_pdf, pages_of
from tests.processes import PATIENCE, readers

ROOT = Path(__file__).parents[3]


def test_a_thousand_pages(tmp_path):
    one = pypdf.PdfReader(make_pdf(tmp_path / "one.pdf", [["Clause repeated on every page."]]))
    writer = pypdf.PdfWriter()
    for _ in range(1000):
        writer.add_page(one.pages[0])
    writer.write(tmp_path / "thousand.pdf")
    pages = pages_of(tmp_path / "thousand.pdf")
    assert [page.number for page in pages] == list(range(1, 1001))
    assert {page.text for page in pages} == {"Clause repeated on every page."}


def child_that(tmp_path: Path, monkeypatch, does: str) -> None:
    """Read PDFs with a stand-in program: three pages, and on the second it does something bad."""
    script = tmp_path / "bad_program.py"
    script.write_text(
        textwrap.dedent("""
        import os, signal, time
        def run(request):
            yield {"pages": 3, "properties": {}, "outline": []}, b""
            for number in range(request["first_page"], 4):
                if number == 2:
                    BAD
                yield {"page": number, "width": 612, "height": 792, "readable": True}, b""
        """).replace("BAD", does)
    )
    monkeypatch.setattr(asking, "_CHILD", script)


BAD_PAGES = {
    "hangs": "time.sleep(60)",
    "crashes": "os.kill(os.getpid(), signal.SIGSEGV)",
    "bloats": "hoard = b'x' * 400_000_000; time.sleep(60)",
}


@pytest.mark.parametrize("does", BAD_PAGES.values(), ids=BAD_PAGES)
def test_a_page_that_breaks_the_reader_is_lost_alone(contract, tmp_path, monkeypatch, does):
    child_that(tmp_path, monkeypatch, does)
    pages = pages_of(contract, limits=Limits(page_seconds=2, memory_bytes=200_000_000))
    assert [(page.number, page.readable) for page in pages] == [(1, True), (2, False), (3, True)]
    assert not readers()


@pytest.mark.parametrize(
    ("does", "code"),
    list(zip(BAD_PAGES.values(), ["timeout", "corrupt", "memory"], strict=True)),
    ids=BAD_PAGES,
)
def test_too_many_lost_pages_end_the_document(contract, tmp_path, monkeypatch, does, code):
    child_that(tmp_path, monkeypatch, does)
    limits = Limits(page_seconds=2, memory_bytes=200_000_000, lost_pages=0)
    assert error_of(contract, limits=limits).code == code
    assert not readers()


def test_memory_limit_holds_in_the_real_reader(tmp_path):
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(612, 792)
    bomb = pypdf.generic.StreamObject()
    bomb.set_data(b"0 0 m 1 1 l " * 12_000_000)
    page[pypdf.generic.NameObject("/Contents")] = writer._add_object(bomb.flate_encode())
    writer.write(tmp_path / "bomb.pdf")
    limits = Limits(memory_bytes=100_000_000, lost_pages=0)
    assert error_of(tmp_path / "bomb.pdf", limits=limits).code == "memory"


def test_stopping_early_leaves_no_process(contract, tmp_path, monkeypatch):
    child_that(tmp_path, monkeypatch, BAD_PAGES["hangs"])
    reader = read_pdf(contract)
    next(reader)
    assert len(readers()) == 1
    reader.close()
    assert not readers()


def program(tmp_path: Path, body: str) -> Path:
    """A program for the sandbox."""
    script = tmp_path / "program.py"
    script.write_text(f"import os, time\ndef run(request):\n    {body}\n")
    return script


def test_child_ends_when_its_parent_is_killed(tmp_path):
    endless = program(tmp_path, 'yield {}, b""; time.sleep(60)')
    code = f"""
import sys, time
from pathlib import Path
from formats.base import sandbox
import psutil
frames = sandbox.frames(Path({str(endless)!r}), {{}},
    memory_bytes=2**30, frame_seconds=60, cpu_seconds=60)
next(frames)
print(psutil.Process().children(recursive=True)[-1].pid, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT)
    with parent:
        assert parent.stdout
        child = psutil.Process(int(parent.stdout.readline()))
        os.kill(parent.pid, signal.SIGKILL)
    psutil.wait_procs([child], timeout=PATIENCE)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_child_does_not_see_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SVQ_LLM_API_KEY", "do-not-pass-on")
    names = program(tmp_path, 'yield {"names": list(os.environ)}, b""')
    (frame,) = sandbox.frames(names, {}, memory_bytes=2**30, frame_seconds=10, cpu_seconds=10)
    assert "PATH" in frame.head["names"]
    assert "SVQ_LLM_API_KEY" not in frame.head["names"]


BUSY_MACHINE = """end = time.monotonic() + 2
    while time.monotonic() < end:
        time.sleep(0.02)
        turn = time.process_time() + 0.004
        while time.process_time() < turn:
            pass
    yield {}, b\"\""""


def test_a_child_that_is_given_little_of_a_processor_has_longer(tmp_path):
    slow = program(tmp_path, BUSY_MACHINE)
    assert len(list(sandbox.frames(slow, {}, memory_bytes=2**30, frame_seconds=1, cpu_seconds=9))) == 1


@pytest.mark.parametrize("does", ["time.sleep(60)", "while True: pass"])
def test_a_child_that_is_idle_or_works_for_ever_is_stopped(tmp_path, does):
    silent = program(tmp_path, f'yield {{}}, b""\n    {does}')
    frames = sandbox.frames(silent, {}, memory_bytes=2**30, frame_seconds=1, cpu_seconds=9)
    next(frames)
    with pytest.raises(ExtractionError) as stopped:
        next(frames)
    assert stopped.value.code == "timeout"


def test_a_child_that_waits_for_a_processor_is_not_idle(monkeypatch):
    """Beside others it may get none at all for a while; what it wanted is what counts."""
    monkeypatch.setattr(sandbox._Silence, "_used", lambda _: 0.0)
    monkeypatch.setattr(sandbox._Silence, "_queued", lambda _: 0.0)
    starved, idle = (sandbox._Silence(psutil.Process(), 0.05) for _ in range(2))
    monkeypatch.setattr(sandbox._Silence, "_queued", lambda silence: 0.1 if silence is starved else 0.0)
    time.sleep(0.06)
    assert not starved.is_over()
    assert idle.is_over()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_a_reader_that_somebody_ends_blames_no_file(tmp_path, sent):
    path = tmp_path / "program.py"
    path.write_text(
        "import time\n\ndef run(request):\n    yield {}, b''\n    time.sleep(60)\n", encoding="utf-8"
    )
    read = sandbox.frames(path, {}, memory_bytes=2**30, frame_seconds=30, cpu_seconds=30)
    with closing(read) as frames:
        next(frames)
        (reader,) = readers()
        reader.send_signal(sent)
        with pytest.raises(ExtractionError) as refused:
            next(frames)
    assert refused.value.code == "ended"
    assert "damaged" not in str(refused.value)


@pytest.mark.parametrize("lacks", ["import a_module_that_is_gone", "import os; os._exit(1)"])
def test_a_reader_that_does_not_start_says_so_and_blames_no_file(tmp_path, lacks):
    path = tmp_path / "program.py"
    path.write_text(lacks, encoding="utf-8")
    with pytest.raises(ExtractionError) as refused:
        list(sandbox.frames(path, {}, memory_bytes=2**30, frame_seconds=9, cpu_seconds=9))
    assert refused.value.code == "not_started"
    assert "damaged" not in str(refused.value)


def test_waiting_for_the_caller_does_not_count_as_reading_time(tmp_path, monkeypatch):
    path = make_pdf(tmp_path / "two.pdf", [["One."], ["Two."]])
    seen, ahead = [], [0.0]
    monkeypatch.setattr(reader, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0]))
    for item in read_pdf(path, limits=Limits(document_seconds=PATIENCE, document_seconds_per_page=0)):
        seen.append(item)
        ahead[0] += 2 * PATIENCE
    assert len(seen) == 3
