"""Sentences of an answer that state something without a citation. Pure."""

import re
from collections.abc import Iterator

from citations.marks import MARK
from text.sentences import sentence_ends

FEWEST = 3  # words; fewer are a "Yes." or a label

_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•|>]|\d{1,3}[.)])\s)|\n(?=\s*\|)|(?<=\|)[ \t]*\n")
_OPENING = re.compile(r"^\s*(?:(?:[-*+•>]|\d{1,3}[.)])\s+)*")
_CODE = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"\s*#{1,6}\s.*(?:\n|$)|\s*\*\*[^*\n]+\*\*:?\s*$")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*$")
_EMPHASIS = re.compile(r"[*_`]+")
_SIGNS_AND_MARKS = rf"[\"'”’)\]*_\s]*(?:{MARK.pattern}\s*)+"
# A citation behind the full stop belongs to the sentence before it.
_BEHIND_STOP = re.compile(rf"([.!?])({_SIGNS_AND_MARKS})")


def sentences_without_source(answer: str) -> list[str]:
    """The sentences, list items and rows of Markdown without a mark, in order. Headings, questions and lines
    that introduce a list state nothing.
    """
    return [" ".join(sentence.split()) for sentence in _sentences(answer) if _says_something(sentence)]


def _sentences(answer: str) -> Iterator[str]:
    blocks = _BLOCK.split(_CODE.sub("\n\n", answer))
    for block, following in zip(blocks, [*blocks[1:], ""], strict=True):
        block = _HEADING.sub("", block)
        is_table = block.lstrip().startswith("|")
        if is_table and (_TABLE_RULE.fullmatch(block) or _TABLE_RULE.fullmatch(following.strip() or "x")):
            continue
        text = _BEHIND_STOP.sub(lambda found: f" {found[2].strip()}{found[1]} ", _OPENING.sub("", block))
        start = 0
        for end in [] if is_table else [*sentence_ends(text), len(text)]:
            yield text[start:end]
            start = end
        if is_table:
            yield text


def _says_something(sentence: str) -> bool:
    bare = _EMPHASIS.sub("", sentence).strip()
    words = re.findall(r"[^\W_]+", bare)
    return len(words) >= FEWEST and not MARK.search(bare) and not bare.endswith((":", "?"))
