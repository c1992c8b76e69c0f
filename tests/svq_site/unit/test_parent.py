"""What a process leaves behind when its parent is killed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from svq_site.host.parent import PIPE_VARIABLE

CHILD = """
import atexit, pathlib, signal, sys, time
from svq_site.host import ending, parent
parent.GRACE_SECONDS = 0.2
left = pathlib.Path(sys.argv[1])
ending.release_embedded = lambda: left.write_text("released")
if sys.argv[2] == "busy":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
else:
    atexit.register(left.write_text, "at exit")
parent.die_with_parent()
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(("does", "told"), [("sleeps", "at exit"), ("busy", "released")])
def test_the_database_is_given_up_however_the_process_ends(tmp_path: Path, does: str, told: str) -> None:
    reading_end, writing_end = os.pipe()
    left = tmp_path / "left"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(left), does],
        stdout=subprocess.PIPE,
        env=os.environ | {PIPE_VARIABLE: str(reading_end)},
        pass_fds=[reading_end],
    )
    with child:
        os.close(reading_end)
        assert child.stdout
        assert child.stdout.readline() == b"ready\n"
        os.close(writing_end)  # as the kernel does when the parent is killed
        assert child.wait(timeout=30) != 0
    assert left.read_text() == told
