"""Scripts that write no spaces between words, Chinese, Japanese and Thai: their letters, how many words they
make, white space around them.
"""

import re

LETTERS = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
CLOSING = "”’」』）】》〉"  # what may stand behind the end of a sentence
ENDS = "。！？；"  # of sentences
LETTERS_OF_A_WORD = 2  # words of Chinese mostly have so many
LATIN_LETTERS = 3.0  # that say as much as one Chinese character does

_PUNCTUATION = "\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_RUN = re.compile(f"[{LETTERS}]+")
_LETTER = re.compile(f"[{LETTERS}]")
_WIDE = re.compile(rf"[\u1100-\u115f\u2e80-\u303e{LETTERS}\uac00-\ud7a3{_PUNCTUATION}]")
_BETWEEN = re.compile(rf"(?<=[{LETTERS}])(?=[{LETTERS}])")
_NEEDLESS = re.compile(rf"(?<=[{LETTERS}{_PUNCTUATION}])[ \t]*\n\s*(?=[{LETTERS}{_PUNCTUATION}])")


def is_spaceless(letter: str) -> bool:
    """Whether the letter is of such a script."""
    return bool(_LETTER.match(letter))


def parts(text: str) -> list[str]:
    """Its letters of such scripts, as they follow one another."""
    return _RUN.findall(text)


def count_letters(text: str) -> int:
    return 0 if text.isascii() else sum(map(len, _RUN.findall(text)))


def count_words(text: str) -> int:
    """How many words the text has; two letters of a script without spaces count as one."""
    if text.isascii():
        return len(text.split())
    return sum(-(-len(run) // LETTERS_OF_A_WORD) for run in _RUN.findall(text)) + len(
        _RUN.sub(" ", text).split()
    )


def parted(text: str) -> str:
    """The text with spaces around words: after every second letter of such a script."""
    if text.isascii():
        return text
    return _RUN.sub(
        lambda run: f" {' '.join(run[0][i : i + LETTERS_OF_A_WORD] for i in range(0, len(run[0]), 2))} ", text
    )


def line_end(before: str, after: str) -> str:
    """What stands for a line end between two letters where both are on one line: a space, or nothing."""
    return "" if _NEEDLESS.search(f"{before}\n{after}") else " "


def on_a_line(text: str) -> str:
    """White space folded to single spaces; a line end between two letters of such a script to none."""
    if not text.isascii():
        text = _NEEDLESS.sub("", text)
    return " ".join(text.split())


def with_line_ends(pattern: str) -> str:
    """The regular expression of some words, in which a line may also end between two letters of a script
    without spaces.
    """
    return _BETWEEN.sub(r"\\s?", pattern)


def width(text: str) -> int:
    """In columns of a typewriter: letters of East Asia take two."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def cuts_word(text: str, place: int) -> bool:
    """Whether a word goes on across `place`; in a script without spaces nobody can tell, so it does not."""
    return (
        0 < place < len(text)
        and text[place - 1].isalnum()
        and text[place].isalnum()
        and not (_LETTER.match(text[place - 1]) or _LETTER.match(text[place]))
    )
