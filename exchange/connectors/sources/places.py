"""How the place of a repository is written: its address, a branch, a folder. Pure."""

import re
from urllib.parse import unquote

# As git has it (git check-ref-format), but for signs that nobody needs.
BRANCH = re.compile(r"(?!.*(\.\.|//|/\.|\.lock(/|$)|/$|\.$))[\w][\w.+/-]{0,199}")


def parts_of(place: str) -> tuple[str, str, str]:
    """Address or path, branch, and folder in it; the last two may be empty."""
    address, _, what = place.partition("#")
    branch, _, below = what.partition(":")
    return address, branch, unquote(below).strip("/") if below else ""
