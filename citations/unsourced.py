"""Sentences of an answer that state something without a citation. Pure."""

import re
from collections.abc import Iterator

from citations.marks import MARK
from english.statements import has_verb
from text.languages import asking_words
from text.normal_forms.spaceless import ENDS, count_words
from text.sentences import sentence_ends

FEWEST = 3  # words; fewer, before the first citation, are a "Yes." or a label

_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•|>]|\d{1,3}[.)])\s)|\n(?=\s*\|)|(?<=\|)[ \t]*\n")
_OPENING = re.compile(r"^\s*(?:(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+)*")
_CODE = re.compile(r"^ {0,3}(```|~~~)[^\n]*(.*?)(?:^ {0,3}\1[^\n]*|\Z)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^[ \t]*#+", re.MULTILINE)
_HEADING_LINE = re.compile(r"^ {0,3}#{1,6}\s.*$", re.MULTILINE)
_HEADING = re.compile(r"\s*(?:#{1,6}\s.*|\*\*[^*\n]+\*\*:?)\s*")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*$")
_EMPHASIS = re.compile(r"[*_`]+")
_WORD = re.compile(r"[^\W_]+")
_SIGNS_AND_MARKS = rf"[\"'”’)\]*_\s]*(?:{MARK.pattern}\s*)+"
# A citation behind the full stop belongs to the sentence before it, and to nothing that follows.
_BEHIND_STOP = re.compile(rf"([.!?{ENDS}])({_SIGNS_AND_MARKS})")
_NO_LONGER_CLAIMED = re.compile(r"[;；]|^[\s\"'”’)\]*_,]*[:：]")  # in what follows a sentence's last citation
_STATES = tuple(f".!{ENDS}")
_OPEN = (":", "?", "：", "？", "؟")  # introduces something, or asks


def sentences_without_source(answer: str) -> list[str]:
    """The sentences, list items, rows and lines of code of Markdown without a mark, in order. Questions,
    lines that introduce a list, and headings that are a label state nothing.
    """
    found, has_begun = [], False
    for sentence in _sentences(answer.rstrip().rstrip(":：")):
        if MARK.search(sentence):
            has_begun = True
        elif _says_something(sentence, has_begun=has_begun):
            found.append(" ".join(sentence.split()))
    return found


def _sentences(answer: str) -> Iterator[str]:
    text = _CODE.sub(lambda code: f"\n\n{_COMMENT.sub('', code[2])}\n\n", answer)
    blocks = _BLOCK.split(_HEADING_LINE.sub(r"\n\n\g<0>\n\n", text))
    for block, following in zip(blocks, [*blocks[1:], ""], strict=True):
        if block.lstrip().startswith("|"):
            if _TABLE_RULE.fullmatch(following.strip() or "x"):
                yield from (cell for cell in block.split("|") if not _is_label(cell))
            elif not _TABLE_RULE.fullmatch(block):
                yield block
        elif not (_HEADING.fullmatch(block) and _is_label(block)):
            yield from _cut(_OPENING.sub("", block))


def _cut(text: str) -> Iterator[str]:
    """The sentences, each with the citations behind its full stop."""
    start = 0
    for found in _BEHIND_STOP.finditer(text):
        yield from _one_by_one(f"{text[start : found.start()]} {found[2].strip()}{found[1]}")
        start = found.end()
    yield from _one_by_one(text[start:])


def _one_by_one(text: str) -> Iterator[str]:
    start = 0
    for end in [*sentence_ends(text), len(text)]:
        last = max((mark.end() for mark in MARK.finditer(text, start, end)), default=end)
        rest = _NO_LONGER_CLAIMED.search(text[last:end])
        stop = last + rest.end() if rest else end
        yield text[start:stop]
        yield text[stop:end]
        start = end


def _is_label(heading: str) -> bool:
    """Whether it names what stands below it and states nothing, as far as English tells."""
    own = _WORD.findall(heading.lower())
    is_whole = _EMPHASIS.sub("", heading).rstrip().endswith(_STATES)
    return not is_whole and (not has_verb(own) or own[0] in asking_words("en"))


def _says_something(sentence: str, *, has_begun: bool) -> bool:
    """has_begun: a citation stands before it."""
    bare = _EMPHASIS.sub("", sentence).strip()
    words = count_words(" ".join(_WORD.findall(bare)))
    if bare.endswith(_OPEN):
        return False
    return words >= FEWEST or (has_begun and words > 0 and bare.endswith(_STATES))
