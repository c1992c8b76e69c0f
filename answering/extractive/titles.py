"""Lines that only name something, as titles, running heads and signatures do: they tell nothing about it."""

import re

from english.dates import DATE
from text.word_lists import FUNCTION_WORDS, words
from text.words import COMPOUND

LEAST = 2  # words with a capital; a single word may be an item of a list

_ITEM_NUMBER = re.compile(r"^\W*(?:\d{1,2}(?:\.\d{1,2})*|[A-Za-z])[.)]\s")
_SMALL = FUNCTION_WORDS | words("plc ended year quarter period no und et de la van von der")
_FIGURE = re.compile(r"[$€£¥%]|(?<![\w-])\d[\d.,]*(?![\w-])")
_SAYS = re.compile(r"[?!;:]")


def is_title(text: str) -> bool:
    """Whether all words but small ones begin with a capital, and there are no figures but dates and codes."""
    told = DATE.sub(" ", _ITEM_NUMBER.sub("", text))
    if _SAYS.search(told) or _FIGURE.search(told):
        return False
    own = [word for word in COMPOUND.findall(told) if word.lower() not in _SMALL]
    return len(own) >= LEAST and all(word[0].isupper() or word[0].isdigit() for word in own)
