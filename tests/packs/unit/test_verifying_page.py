"""The page that verifies packs speaks one language, and its policy allows the script that it then has."""

import base64
import hashlib
import re
from pathlib import Path

from django.utils.translation import override

from exchange import packs
from exchange.packs.keys import PublicKey
from exchange.packs.verifier_words import SENTENCES
from exchange.packs.verifying_page import verifier_policy, verifying_page

KEY = PublicKey(bytes(32))
SCRIPT = re.compile(r"<script>(.*)</script>", re.DOTALL)


def test_each_sentence_of_the_script_is_marked() -> None:
    (folder,) = packs.__path__
    script = (Path(folder) / "verify.js").read_text(encoding="utf-8")
    assert set(re.findall(r'gettext\("((?:[^"\\]|\\.)*)"', script)) == set(SENTENCES)


def test_it_speaks_the_language_of_who_asks() -> None:
    with override("de"):
        page, policy = verifying_page(KEY), verifier_policy()
    assert '<html lang="de">' in page
    assert "Wurde dieses Paket geändert?" in page
    assert "Verlassen Sie sich nicht darauf." in page  # of the script
    script = SCRIPT.search(page)
    assert script
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert "Verlassen" not in verifying_page(KEY)
