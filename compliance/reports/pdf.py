"""A report as a PDF, set by Typst in a process of its own: it takes a core for a while."""

import json
import subprocess
import sys
from pathlib import Path

from django.core.exceptions import ValidationError

from compliance.reports.catalogue import DRAFT, Report

TEMPLATE = Path(__file__).with_name("report.typ")
SECONDS = 120
# Values go in by the standard input and are data to the template, never markup.
_PROGRAM = """
import importlib.util, os, sys
os.environ["RAYON_NUM_THREADS"] = "1"
import typst
fonts = [folder for name in sys.argv[2:] if (package := importlib.util.find_spec(name))
         for folder in package.submodule_search_locations or ()]
made = typst.compile(sys.argv[1], root=os.path.dirname(sys.argv[1]), ignore_system_fonts=True,
                     font_paths=fonts, sys_inputs={"report": sys.stdin.read()}, format="pdf")
sys.stdout.buffer.write(made)
"""
FONT_PACKAGES = ("fontpkg_noto_sans", "noto_cjk_sans_otc", "fontpkg_amiri", "justmytype_intl_rtl")


def as_pdf(report: Report) -> bytes:
    """Raises ValidationError when it takes too long."""
    told = {
        "title": report.title, "told": report.told, "sums": report.sums, "draft": DRAFT,
        "documents": report.documents, "lines": [line.as_json() for line in report.lines],
    }  # fmt: skip
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _PROGRAM, str(TEMPLATE), *FONT_PACKAGES],
            input=json.dumps(told).encode(), capture_output=True, timeout=SECONDS, check=True,
        )  # fmt: skip
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        raise ValidationError(
            "The PDF could not be made. Choose a part of the framework, or Word."
        ) from error
    return done.stdout
