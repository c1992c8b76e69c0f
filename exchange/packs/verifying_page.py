"""verify.html: verifies packs in a browser, without a network and without any other file, in one language."""

import json
from functools import cache
from pathlib import Path

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from exchange.packs.keys import PublicKey
from exchange.packs.page_frame import policy, style
from exchange.packs.verifier_words import SENTENCES

VERIFYING_PAGE = "verify.html"
NO_MESSAGES = "const messages = {};"


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


def _script() -> str:
    """With what it says in the language of the page."""
    told = {english: said for english in SENTENCES if (said := _(english)) != english}
    messages = json.dumps(told, ensure_ascii=False).replace("</", "<\\/")
    return _english_script().replace(NO_MESSAGES, f"const messages = {messages};", 1)


@cache
def _english_script() -> str:
    return Path(__file__).with_name("verify.js").read_text(encoding="utf-8").strip()
