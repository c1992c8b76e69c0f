"""Whether a text is English, told by its commonest words; other languages are not told apart."""

from text.word_lists import words
from text.words import COMPOUND

SHARE = 0.05  # of all words; prose has four times as many, tables and title pages fewer

# No such words in the languages around: "was", "in", "is", "of" and "for" are German or Dutch, too.
_ENGLISH_ONLY = words(
    """
and any are been both but did does each from had has how it its many our shall should that the their
them there these they this those to were what when where which while who whom whose why with would your"""
)


def is_english(text: str) -> bool:
    """A text without words is in no language."""
    found = COMPOUND.findall(text)
    return sum(word.lower() in _ENGLISH_ONLY for word in found) > SHARE * len(found)
