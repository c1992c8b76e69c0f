"""The documents from which a question wants its answer: “under the agreement”, “what does the questionnaire
promise?”.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import takewhile

from chat.answering.extractive.words import stem
from text.lexicon import carriers, root
from text.word_lists import FUNCTION_WORDS, words

# What a document may be; other words of a name say of which matter it is.
KINDS = frozenset(
    map(
        stem,
        words(
            """act addendum agreement amendment article brochure charter code contract deck deed directive
            filing guide guideline handbook law lease letter licence license manual memo memorandum minutes
            notes paper policy presentation proposal protocol questionnaire regulation report rules schedule
            slides specification standard statement statute study thesis treaty"""
        ),
    )
)
_SAYS = (
    r"(?:says?|said|tells?|told|lets?|gives?|gave|sets?|forbids?|forbade|shows?|specif(?:y|ies|ied)"
    r"|(?:state|promise|require|define|describe|provide|oblige|guarantee)[sd]?"
    r"|(?:mention|allow|permit|prohibit|list|claim|explain|cover|demand|grant|report)(?:s|ed)?|address(?:es|ed)?)"
)
_NAME = r"(?:the|this|that|our|your|my|their)\s+(?P<name>[\w’'-]+(?:\s+[\w’'-]+){0,3}%s)"
_UNDER = re.compile(rf"\b(?:under|in|within|according\s+to|(?:as\s+)?per)\s+{_NAME % ''}", re.IGNORECASE)
_SAYING = re.compile(rf"\b{_NAME % '?'}\s+{_SAYS}\b", re.IGNORECASE)
_SOURCES = (_UNDER, _SAYING)
_OWN_NAME = re.compile(r"\b[Tt]his ((?:[A-Z][a-z]+ ){0,2}[A-Z][a-z]+)\b")  # "this Award Agreement"
_ABOUT = re.compile(r"\b(?:the|our|my) ((?:[a-zA-Z]+ ){0,2}[a-zA-Z]+)\b")
_ANY_CONTRACT, _CHANGING = (
    {*map(stem, words(kinds))} for kinds in ("agreement contract", "addendum amendment")
)


class Itself:
    """Of which kind of document something is asked: "When does the lease end?"."""

    def __init__(self, question: str) -> None:
        self._asked = _kinds(_ABOUT, question)

    def is_another(self, text: str) -> bool:
        """Whether a text calls its own document one of another kind: "this Deed". Any contract is an
        agreement, but for what changes one.
        """
        own = _kinds(_OWN_NAME, text) if self._asked else set()
        if not own or own & self._asked:
            return False
        return bool(own & _CHANGING) or self._asked.isdisjoint(_ANY_CONTRACT)


def _kinds(pattern: re.Pattern[str], text: str) -> set[str]:
    return _stems(" ".join(pattern.findall(text)).split()) & KINDS


def named_in(question: str, title: str) -> int:
    """How many words of the document that a question is about a title has: "the contract of employment"."""
    about = _stems(" ".join(_ABOUT.findall(question)).split()) - _stems(FUNCTION_WORDS)
    return len(about & _stems(re.findall(r"[^\W\d_]+", title))) if about & KINDS else 0


def named_documents(question: str, passages: Mapping[str, Collection[str]]) -> Set[str]:
    """Titles of the documents that the question names as its sources; empty where it names none, or all.

    passages: the texts that were found of each title. A document is named by a word of its title, or by what
    it calls itself: "this Agreement".
    """
    found: set[str] = set()
    for name in _names(question):
        meant = [_meanings(word) for word in name]
        titles = {title: _shared(meant, _stems(re.findall(r"[^\W\d_]+", title))) for title in passages}
        if not any(titles.values()):
            titles = {
                title: _shared(meant[-1:], _kinds(_OWN_NAME, " ".join(texts)))
                for title, texts in passages.items()
            }
        most = max(titles.values(), default=0)
        found |= {title for title, shared in titles.items() if shared == most > 0}
    return found if len(found) < len(passages) else set()


def without_sources(question: str) -> str:
    """The question without the documents that it names, and what these are asked to do: "what did the
    questionnaire promise?" becomes "what did?".
    """
    for pattern in _SOURCES:
        question = pattern.sub(_without_name, question)
    return " ".join(question.split())


def _without_name(found: re.Match[str]) -> str:
    name = _name(found)
    return " ".join(found["name"].split()[len(name) :]) if name else found[0]


def _names(question: str) -> Iterator[list[str]]:
    return filter(None, (_name(found) for pattern in _SOURCES for found in pattern.finditer(question)))


def _name(found: re.Match[str]) -> list[str]:
    """The words with which a source is named, that of its kind last; empty where none is a document's kind.

    Who says something is named by all words before: "the report committee says" names no report.
    """
    own = list(takewhile(lambda word: word.lower() not in FUNCTION_WORDS, found["name"].split()))
    kinds = [place for place, word in enumerate(own) if stem(word) in KINDS]
    if not kinds or (found.re is _SAYING and kinds[-1] + 1 < len(own)):
        return []
    return own[: kinds[-1] + 1]


def _meanings(word: str) -> frozenset[str]:
    """Stems of the word and its synonyms."""
    return frozenset({stem(word), *map(stem, carriers(root(word)))})


def _stems(found: Collection[str]) -> set[str]:
    return set(map(stem, found))


def _shared(meant: Sequence[frozenset[str]], known: set[str]) -> int:
    """How many words of a name are known; 0 where its last, the kind, is not."""
    return sum(not each.isdisjoint(known) for each in meant) if meant[-1] & known else 0
