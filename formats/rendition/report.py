"""A report as a PDF, set by Typst in a process of its own: it takes a core and memory for a while."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import get_language, get_language_bidi, pgettext

from formats.rendition.typesetting import font_folders
from localization.lists import remarks

# What templates with pictures import.
SHARED = [Path(__file__).with_name(name) for name in ("paper.typ", "direction.typ")]

# Values go in by the standard input and are data to the template, never markup.
_PROGRAM = """
import os, sys
os.environ["RAYON_NUM_THREADS"] = "1"
import typst
made = typst.compile(sys.argv[1], root=os.path.dirname(sys.argv[1]), ignore_system_fonts=True,
                     font_paths=sys.argv[2:], sys_inputs={"report": sys.stdin.read()}, format="pdf")
sys.stdout.buffer.write(made)
"""


class NotSet(Exception):
    """The PDF could not be made in time, or not at all."""


def report_pdf(
    template: Path, values: Mapping[str, Any], *, seconds: float, folder: Path | None = None
) -> bytes:
    """The template with the values, which it finds as JSON in sys.inputs.report, and with the language of now
    (`language`, `right`, `quotation`, `numbering`, `comma`), which these are in. Raises NotSet.

    folder: with pictures that the template shows by their paths in it; the template is copied there, and
    beside it "paper.typ", which it may import.
    """
    if folder is not None:
        for shared in SHARED:
            shutil.copy(shared, folder)
        template = Path(shutil.copy(template, folder))
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _PROGRAM, str(template), *font_folders()],
            input=json.dumps({**values, **_language()}).encode(),
            capture_output=True,
            timeout=seconds,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        raise NotSet from error
    return done.stdout


def _language() -> dict[str, Any]:
    """quotation: what stands before and behind a quote. numbering: of the pages, as Typst has it."""
    # Translators: the quotation marks of the language
    before, _, behind = pgettext("quotation", "“{words}”").partition("{words}")
    # Translators: under each page of a PDF, as “2 of 5”; keep both digits 1
    numbering = pgettext("pages", "1 of 1")
    return {
        "language": (get_language() or "en").partition("-")[0],
        "right": get_language_bidi(),
        "quotation": [before, behind],
        "numbering": numbering,
        "comma": remarks("", ""),
    }
