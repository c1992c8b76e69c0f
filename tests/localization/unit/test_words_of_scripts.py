"""What static/js/words.js says with the messages of a language, in a JavaScript that is run beside it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings

from tools.messages import words_of_scripts

WORDS = Path(settings.BASE_DIR) / "static/js/words.js"
NODE = shutil.which("node")
PAGE = "globalThis.document = {{ documentElement: {{ lang: {lang!r} }} }};\n"


def said(lang: str, messages: str, *calls: str) -> list[Any]:
    script = (
        PAGE.format(lang=lang)
        + WORDS.read_text()
        + messages
        + f"console.log(JSON.stringify([{', '.join(calls)}]))"
    )
    run = subprocess.run(
        [str(NODE), "--input-type=module"], input=script, capture_output=True, text=True, check=True
    )
    return list(json.loads(run.stdout))


needs_node = pytest.mark.skipif(NODE is None, reason="needs node")
pytestmark = needs_node


def test_english_needs_no_messages() -> None:
    calls = (
        'gettext("{n} of {total}", {n: 1, total: 2})',
        'ngettext("{n} file", "{n} files", 1284)',
        "numeral(1284)",
    )
    assert said("en", "", *calls) == ["1 of 2", "1,284 files", "1,284"]


def test_the_form_fits_the_number() -> None:
    catalog = Catalog(locale="ar")
    catalog.add(("{n} file", "{n} files"), ("none", "one", "two", "few", "many", "other"))
    numbers = (0, 1, 2, 3, 11, 100)
    calls = [f'ngettext("{{n}} file", "{{n}} files", {n})' for n in numbers]
    assert said("ar", words_of_scripts(catalog).decode(), *calls) == [
        "none",
        "one",
        "two",
        "few",
        "many",
        "other",
    ]


def test_one_form_is_enough_for_some_languages() -> None:
    catalog = Catalog(locale="zh_Hans")
    catalog.add(("{n} file", "{n} files"), ("{n} 个文件",))
    catalog.add("Open", "打开", context="verb")
    calls = ('ngettext("{n} file", "{n} files", 1)', 'pgettext("verb", "Open")', 'gettext("Open")')
    assert said("zh-hans", words_of_scripts(catalog).decode(), *calls) == ["1 个文件", "打开", "Open"]
