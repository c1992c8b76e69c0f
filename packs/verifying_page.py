"""verify.html: verifies packs in a browser, without a network and without any other file."""

from functools import cache
from pathlib import Path

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe

from packs.keys import PublicKey
from packs.page_frame import policy, style

VERIFYING_PAGE = "verify.html"


def verifying_page(key: PublicKey) -> str:
    """key: the one of the deployment that gives the page out, which packs are compared with."""
    script = _script()
    values = {
        "key": key,
        "script": mark_safe(script),
        "style": style(),
        "policy": verifier_policy(),
        "path": reverse("pack_verifier"),
    }
    return render_to_string("packs/verify.html", values)


def verifier_policy() -> str:
    """Its content security policy."""
    return policy(_script())


@cache
def _script() -> str:
    return Path(__file__).with_name("verify.js").read_text(encoding="utf-8").strip()
