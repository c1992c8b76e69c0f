"""What the two pages of a pack share: one file each, styles within, that ask no network for anything."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

_TOKENS = settings.BASE_DIR / "static" / "css" / "tokens.css"
_FONTS = re.compile(r"@font-face \{[^}]*\}\n?|@layer [^;{]*;\n?")
_COMMENTS = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


@cache
def style() -> SafeString:
    """SVQ's colours and sizes, with the system's fonts, and what these pages make of them."""
    tokens = _FONTS.sub("", _TOKENS.read_text(encoding="utf-8"))
    own = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return mark_safe(_COMMENTS.sub("", tokens + own).strip())  # both are ours


def policy(script: str = "", *, site: bool = False) -> str:
    """The content security policy of a page: nothing from anywhere but these styles, this script and pictures
    that are part of the page. site: also styles, fonts and pictures of this SVQ.
    """
    own = " 'self'" if site else ""
    allowed = [
        "default-src 'none'",
        f"style-src {_hash(style())}{own}",
        f"img-src data:{own}",
        "base-uri 'none'",
    ]
    return "; ".join(
        [
            *allowed,
            *(["font-src 'self'"] if site else []),
            *([f"script-src {_hash(script)}"] if script else []),
        ]
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
