"""What a text is found by: stems of its words, numbers and identifiers whole, pairs of letters where a script
writes no spaces.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from text.languages import stemmer_of
from text.normal_forms.clean_form import JOINERS, clean_form
from text.normal_forms.marks import MARKS, with_marks
from text.normal_forms.normal_form import fold
from text.normal_forms.spaceless import LETTERS
from text.stems import KEPT, stem

LONGEST = 60  # characters of a term; what is longer is no word

# A line may end within a word of a script without spaces.
_WORD = with_marks(rf"[^\W_{LETTERS}]", MARKS + JOINERS)
_TOKEN = re.compile(rf"([{LETTERS}]+(?:\n[{LETTERS}]+)*)|({_WORD}(?:[.,:/&’'@+-]{_WORD})*)")
_PARTS = re.compile(r"[.,:/&’'@+-]")
_JOINED = re.compile(r"[:/&@+-]")  # what joins numbers, not the figures of one
_THOUSANDS = re.compile(r"(?<=\d)[,’'](?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_PLAIN = re.compile(with_marks(r"[^\W\d_]", MARKS + JOINERS))


def terms(text: str, language: str | None = "en") -> list[str]:
    """The terms of a text in order, repeated as often as they stand there.

    `language` is ISO 639-1; None leaves words whole. There are as many terms whatever the language.
    """
    return _terms(_tokens(text), language)


def terms_by_language(text: str, languages: Iterable[str]) -> dict[str, list[str]]:
    """The terms of a text in each of these languages."""
    tokens = _tokens(text)
    return {language: _terms(tokens, language) for language in languages}


def _tokens(text: str) -> list[tuple[str, str]]:
    """Runs of a script without spaces, or else words: of each pair one is empty."""
    return _TOKEN.findall(clean_form(text))


def _terms(tokens: Iterable[tuple[str, str]], language: str | None) -> list[str]:
    found: list[str] = []
    for spaceless, token in tokens:
        if token:
            found += _of_token(token, language)
        else:
            found += _pairs(spaceless.replace("\n", ""))
    return found


@lru_cache(maxsize=KEPT)
def _of_token(token: str, language: str | None) -> tuple[str, ...]:
    """A word's stem; of a compound its parts, and the whole where a part is a single letter; of one with a
    figure in it the whole, and its parts but for those of one number.
    """
    token = token[:LONGEST]
    if _PLAIN.fullmatch(token):
        return (_stem(token, language),)
    if not any(map(str.isdigit, token)):
        parts = _PARTS.split(_POSSESSIVE.sub("", token))
        short = (fold(token),) if len(parts) > 1 and min(map(len, parts)) == 1 else ()  # R&D, U.S.
        return (*short, *(_stem(part, language) for part in parts if len(part) > 1 or len(parts) == 1))
    whole = fold(_THOUSANDS.sub("", token))
    parts = [_THOUSANDS.sub("", part) for part in _JOINED.split(token)]
    return (whole, *(_stem(part, language) for part in parts if _tells(part) and fold(part) != whole))


def _tells(part: str) -> bool:
    """Whether a part of an identifier is worth finding: of figures alone only a year or a longer number."""
    return len(part) > (1 if _PLAIN.fullmatch(part) else 3)


def _stem(word: str, language: str | None) -> str:
    return fold(word) if language is None else fold(stem(word, stemmer_of(language)))


def _pairs(run: str) -> Iterator[str]:
    """Each two letters that follow one another; a letter that stands alone."""
    return (run[i : i + 2] for i in range(max(1, len(run) - 1)))
