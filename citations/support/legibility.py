"""Whether claim and quote can be checked at all: their length and language, and whether they state
something.
"""

import re

from django.utils.translation import gettext_noop

from citations.support.outcome import Difference
from english.closed_classes import AUXILIARIES, QUESTION_WORDS, one_of
from english.reading import Reading
from english.spelling import EMPHASIS, plain
from text.sentences import sentences
from text.word_lists import words

LONGEST_CLAIM, LONGEST_QUOTE = 3_000, 12_000  # characters
MOST_FIGURES = 60  # of a claim
FOREIGN_LETTERS = 0.3  # share of letters from which a text is in another script
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u03ff]")
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = words(
    """the of and to in is was for that with as by on are be from at or an this which has have had were
    it its not shall may will must their we our"""
)
_OTHERS = (
    words(
        """der das und ist nicht mit für von dem den des ein eine einer wird werden sich auch auf zu im
    le la les et est une des du dans pour que qui pas avec au aux el los las y es una del por 
    para su il di che della sono het een van niet zijn wordt met voor op o os não uma com em
     da się nie jest w z oraz och att som för"""
    )
    - _ENGLISH
)
_ASKS = re.compile(
    rf"^\W*(?:please|{one_of(QUESTION_WORDS, AUXILIARIES)})\b.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_NO_STATEMENT = gettext_noop("There is no claim before this quote.")


def cannot_be_read(claim: str, quote: str, before: str, after: str) -> Difference | None:
    """Why the check can't read the texts, with an empty text when the claim is a whole sentence of the
    quote.
    """
    if not claim.strip(" *_`>#-+.\n\t"):
        return Difference(text=_NO_STATEMENT)
    if len(claim) > LONGEST_CLAIM or len(quote) > LONGEST_QUOTE:
        long = "claim" if len(claim) > LONGEST_CLAIM else "quote"
        return Difference(text=f"The {long} is too long to be checked word by word.")
    if _is_english(claim) and _is_english(quote):
        return None
    if not (before or after) and _is_sentence_of(claim, quote):
        return Difference(text="")
    return Difference(
        text=gettext_noop(
            "The claim or the quote is in a language that this check cannot read; it reads English."
        )
    )


def lists_figures(claim: Reading) -> Difference | None:
    """Whether the claim has more figures than can be checked one by one."""
    if sum(token.quantity is not None for token in claim.tokens) <= MOST_FIGURES:
        return None
    return Difference(text=gettext_noop("The claim has too many figures to be checked one by one."))


def states_nothing(claim: Reading, quote: Reading) -> Difference | None:
    """Whether one of the two asks instead of saying something, or the claim has no words of its own."""
    if not claim.content:
        return Difference(text=_NO_STATEMENT)
    if claim.text.endswith("?"):
        return Difference(text=gettext_noop("The claim is a question, which a quote cannot support."))
    if _ASKS.match(quote.text):
        return Difference(text=gettext_noop("The quote is a question and states nothing."))
    return None


def _is_english(text: str) -> bool:
    letters = _LETTER.findall(text)
    if letters and sum(not _LATIN.match(letter) for letter in letters) > FOREIGN_LETTERS * len(letters):
        return False
    listed = [word.lower() for word in _WORD.findall(text)]
    foreign = sum(word in _OTHERS for word in listed)
    return foreign < 2 or foreign <= sum(word in _ENGLISH for word in listed)


def _is_sentence_of(claim: str, quote: str) -> bool:
    """Whether the claim is the whole quote, or a whole sentence of it, word for word."""
    spans = [(0, len(quote)), *sentences(quote)]
    return any(_bare(quote[start:end]) == _bare(claim) for start, end in spans)


def _bare(text: str) -> str:
    return plain(text).casefold().strip(" .!?;。！？；")


_SOURCES = (
    r"(?:document|file|filing|report|agreement|contract|policy|text|passage|quote|source|page|article|paper|notes?|section"
    r"|clause|statement|record|questionnaire|memo|letter|sentence|excerpt|manual|lease|form|book|study|10-[qk])s?"
)
_SAYS = (
    r"(?:states?|says?|notes?|reports?|mentions?|specif(?:y|ies)|explains?|indicates?|confirms?|shows?|provides?"
    r"|tells? us|reads?)"
)
_SOURCE = re.compile(
    rf"^(?:(?:according to|as (?:stated|noted|reported|described|set out|mentioned) in|per|in|as "
    rf"per|based on) (?:the|this|that|its|their) "
    rf"(?:[\w-]+ ){{0,3}}{_SOURCES}(?: itself)?,\s*|(?:the|this) (?:[\w-]+ ){{0,2}}{_SOURCES} "
    rf"(?:also |further )?{_SAYS}(?: that|:)\s*"
    rf"|as (?:the|this) (?:[\w-]+ ){{0,2}}{_SOURCES} (?:puts it|{_SAYS}),\s*"
    rf"|it is (?:true|stated|noted|reported|said|a fact|the case|also true|clear|documented|known) "
    rf"that\s+|the fact is that\s+"
    rf"|(?:yes|in short|in summary|specifically|in fact|notably|indeed|in other words|to be "
    rf"precise|more precisely),\s*)",
    re.IGNORECASE,
)
_SOURCE_BEHIND = re.compile(
    rf",\s*(?:according to|as (?:stated|noted|reported|described|set out) in|per) (?:the|this) "
    rf"(?:[\w-]+ ){{0,3}}"
    rf"{_SOURCES}\s*[.]?$|,\s*(?:as )?(?:the|this) {_SOURCES} (?:puts it|{_SAYS})\s*[.]?$",
    re.IGNORECASE,
)


def without_introduction(text: str) -> str:
    """A claim without what only says where it is from: "According to the report, ..."."""
    return _SOURCE_BEHIND.sub("", _SOURCE.sub("", EMPHASIS.sub(" ", text).strip()))
