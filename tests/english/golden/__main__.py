"""Says how many codes of each family differ from those that are kept; writes them with --write."""

import os
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
django.setup()

from tests.english.golden.kept import FOLDER, kept  # noqa: E402
from tests.english.golden.outcomes import FAMILIES, codes  # noqa: E402


def main() -> None:
    for family in FAMILIES:
        now, before = list(codes(family)), kept(family)
        differ = [place for place, code in enumerate(now) if before[place : place + 1] != [code]]
        first = f": case {differ[0]} is the first" if differ else ""
        print(f"{family}: {len(differ)} of {len(now)} differ{first}")
        if "--write" in sys.argv:
            Path(FOLDER / f"{family}.txt").write_text(" ".join(now) + "\n")


main()
