"""How blocks are parted before they are typeset."""

import pytest

from formats.base.errors import ExtractionError
from formats.rendition.blocks import Paragraph
from formats.rendition.parts import LONGEST_PARAGRAPH, parts_of, readable


def test_a_paragraph_without_an_end_is_set_in_parts_and_loses_no_word() -> None:
    words = [f"word{number}" for number in range(100_000)]
    blocks = list(readable([Paragraph(text=" ".join(words)), Paragraph(text="x" * 50_000)]))
    assert max(len(block.text) for block in blocks if isinstance(block, Paragraph)) <= LONGEST_PARAGRAPH
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert said.split()[:100_000] == words
    assert said.count("x") == 50_000
    assert len(list(parts_of(blocks))) > 5


def test_letters_without_an_end_are_refused_at_once() -> None:
    with pytest.raises(ExtractionError, match="20,000,000 letters without a space"):
        list(readable([Paragraph(text="x" * 20_000_000)]))
