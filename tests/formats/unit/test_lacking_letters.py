"""Which letters a PDF lacks is said with the names of scripts in the reader's language."""

import pytest
from django.utils.translation import override

from formats.rendition.lacking_letters import said_of_letters


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("𠮷 ስ", "seltene chinesische Schriftzeichen, Äthiopisch"),
        ("ဗ", "Birmanisch"),
        ("ส", "Thailändisch"),
    ],
)
def test_scripts_have_names_in_german(text: str, scripts: str) -> None:
    with override("de"):
        assert scripts in said_of_letters(text)


def test_nothing_is_said_of_letters_that_the_fonts_have() -> None:
    assert said_of_letters("Miete, 备份, تُحفظ, αβγ") == ""
