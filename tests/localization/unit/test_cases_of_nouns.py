"""Counted nouns stand in the case that their sentence asks for: “2 Dokumente”, but “in 2 Dokumenten”."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from tools.messages import languages, read

MESSAGE = re.compile(r"\{% blocktranslate (?P<names>.*?)%\}(?P<text>.*?)\{% endblocktranslate %\}", re.DOTALL)
WITHIN = re.compile(r"(\w+)=\S+\|counted_within:")
VALUE = re.compile(r"\{\{ (\w+) \}\}")
GOVERNS = ("in", "von", "aus", "mit", "auf", "zu", "bei")  # prepositions with the dative


def messages_with_nouns_within() -> Iterator[tuple[str, list[str]]]:
    """Each English message of a template, with the names of such nouns in it."""
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        for found in MESSAGE.finditer(path.read_text()):
            if names := WITHIN.findall(found["names"]):
                single = " ".join(found["text"].partition("{% plural %}")[0].split())
                yield VALUE.sub(r"%(\1)s", single), names


def forms_of(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def test_german_has_a_preposition_before_each_dative() -> None:
    german = {
        message.id if isinstance(message.id, str) else message.id[0]: forms_of(message.string)
        for message in read(languages()["de"], "django")
        if message.id
    }
    looked_at = list(messages_with_nouns_within())
    assert len(looked_at) > 10
    wrong = [
        form
        for single, names in looked_at
        for form in german[single]
        for name in names
        if not re.search(rf"\b(?:{'|'.join(GOVERNS)}) %\({name}\)s", form)
    ]
    assert wrong == []
