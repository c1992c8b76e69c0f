"""What a name boils down to: the key under which spellings of one name meet."""

import re
from functools import lru_cache

from english.companies import LEGAL_FORMS
from text.normal_forms.normal_form import fold
from text.word_lists import words as listed

# As names they are what is left of a longer one, or a party of one document: nobody looks for them.
COMMON_NOUNS = LEGAL_FORMS | listed(
    """act agreement annual asset bank board business client commission committee companies contract customer
department director employee exchange fund group item management member note notice party parties person
product products program quarterly report schedule section security seller segment service services state
subsidiary supplier table tax we"""
)
ARTICLES = listed("""the a an der die das le la les el los las il lo""")
# Unlike text.words: a currency sign tells names apart, a hyphen does not.
_WORD = re.compile(r"[\w]+(?:[.,]\d+)*|[%$€£¥§]")
_POSSESSIVE = re.compile(r"['’]s\b|(?<=s)['’](?=\s|$)")
_QUALIFIER = re.compile(r"^(.*\S)\s*\(([^()]+)\)$")


def qualifier(name: str) -> tuple[str, str]:
    """“Madonna (book)” as (“Madonna”, “book”); the second is empty when there is none."""
    match = _QUALIFIER.match(name.strip())
    return (match[1], match[2]) if match else (name.strip(), "")


@lru_cache(maxsize=65536)
def key(name: str) -> str:
    """The words of a name, folded, without article, possessive and legal form; a qualifier stays.

    Never empty for a name that has a letter or digit; two names of one key are the same name.
    """
    base, what = qualifier(name)
    words = _WORD.findall(
        _POSSESSIVE.sub("", fold(base)).replace(".", " ")
        if _dotted(base)
        else _POSSESSIVE.sub("", fold(base))
    )
    words = _joined_initials(words)
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in LEGAL_FORMS:
        words = words[:-1]
    if what:
        words += ["(", *_WORD.findall(fold(what)), ")"]
    return " ".join(words)[:200]


def _dotted(name: str) -> bool:
    """Dots that part letters (“U.S.”, “J. Smith”), not digits (“4.2”)."""
    return not any(c.isdigit() for c in name)


def _joined_initials(words: list[str]) -> list[str]:
    """“u s” as “us”: runs of single letters are one acronym."""
    out: list[str] = []
    run = ""
    for word in [*words, ""]:
        if len(word) == 1 and word.isalpha():
            run += word
            continue
        if run:
            out.append(run)
            run = ""
        if word:
            out.append(word)
    return out


def qualifier_of_key(key: str) -> tuple[str, str]:
    """“madonna ( book )” as (“madonna”, “book”)."""
    base, _, what = key.partition(" ( ")
    return base, what.removesuffix(" )")
