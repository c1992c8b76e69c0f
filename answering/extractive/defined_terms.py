"""Questions for what a document defines: “What is the break date?”, “Who is the landlord?”."""

import re
from functools import lru_cache

from answering.extractive.named_documents import KINDS
from answering.extractive.words import TEXTS_KEPT, stem, stems
from english.contracts.defined_terms import definitions_in
from english.contracts.kinds import CONTRACTS
from text.word_lists import words

MOST = 4  # words of a question for a term, with the kind of document that it may name
_ASKS = re.compile(
    r"\W*(?:and\s+)?(?:what|who|which|when|how (?:long|much|high|large)) (?:is|are|was|were)\b"
    r"|\W*what does\b.*\bmean\b",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\b(?:is|are|was|were) (?:the|an?) (?P<term>[\w’'-]+(?: [\w’'-]+){0,3}?)"
    r"(?: (?:of|under|in|for)\b.*)?\W*$",
    re.IGNORECASE,
)
_ASKING = frozenset(map(stem, words("long much high large mean meant meaning defined definition called")))


# "... in the Lease of Mill House?": where it is defined.
_IN_DOCUMENT = re.compile(
    r"\s(?:of|under|in|for|according to)\s+(?:the|our|my|this|that)\s+(?:[\w’'-]+\s+){0,3}?"
    rf"(?:{'|'.join(sorted(CONTRACTS))})\b.*$",
    re.IGNORECASE | re.DOTALL,
)


def definition_words(question: str) -> str:
    """How a definition of what is asked for would begin, to be searched for; empty without such a term."""
    found = _PHRASE.search(question) if _ASKS.match(question) else None
    return f"{found['term']} means" if found else ""


class AskedTerm:
    """What a question asks for, where that may be a term that a document defines."""

    def __init__(self, question: str) -> None:
        asked = stems(_IN_DOCUMENT.sub("", question)) if _ASKS.match(question) else ()
        self._words = frozenset(asked) - _ASKING
        self._least = self._words - KINDS  # "the term of the lease": which document it is may be left out
        if len(self._words) > MOST:
            self._words = frozenset()

    def is_defined_in(self, text: str) -> bool:
        return bool(self._words) and any(self._least <= term <= self._words for term in _defined(text))


@lru_cache(TEXTS_KEPT)
def _defined(text: str) -> tuple[frozenset[str], ...]:
    """The stems of each term that a text defines."""
    terms = (frozenset(stems(found["term"])) for found in definitions_in(text))
    return tuple(filter(None, terms))
