"""The documents from which a question wants its answer: “under the agreement”, “what does the questionnaire
promise?”.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import takewhile

from answering.extractive.words import stem
from english.contracts.kinds import CHANGING, CONTRACTS, DOCUMENTS
from english.lexicon import carriers, root
from text.word_lists import FUNCTION_WORDS, words

KINDS = frozenset(map(stem, DOCUMENTS))


def _stems(found: Collection[str]) -> set[str]:
    return set(map(stem, found))


_SAYS = (
    r"(?:says?|said|tells?|told|lets?|gives?|gave|sets?|forbids?|forbade|shows?|specif(?:y|ies|ied)"
    r"|(?:state|promise|require|define|describe|provide|oblige|guarantee)[sd]?"
    r"|(?:mention|allow|permit|prohibit|list|claim|explain|cover|demand|grant|report)(?:s|ed)?|address(?:es|ed)?)"
)
_NAME = r"(?:the|this|that|our|your|my|their)\s+(?P<name>[\w’'-]+(?:\s+[\w’'-]+){0,3}%s)"
_UNDER = re.compile(rf"\b(?:under|in|within|according\s+to|(?:as\s+)?per)\s+{_NAME % ''}", re.IGNORECASE)
_UNDER_ONE = re.compile(
    r"\b(?:under|in|within|according to) (?:the|our|my|this) (?:[\w’'-]+ ){0,3}?"
    rf"(?:{'|'.join(sorted(CONTRACTS))})\b"
    r"(?: of [\w’'-]+)?",
    re.IGNORECASE,
)
_SAYING = re.compile(rf"\b{_NAME % '?'}\s+{_SAYS}\b", re.IGNORECASE)
_SOURCES = (_UNDER, _SAYING)
_OWN_NAME = re.compile(r"\b[Tt]his ((?:[A-Z][a-z]+ ){0,2}[A-Z][a-z]+)\b")  # "this Award Agreement"
_ABOUT = re.compile(
    r"\b(?:the|our|my) ((?:(?!(?:the|our|my) )[a-zA-Z]+ ){0,2}(?!(?:the|our|my)\b)[a-zA-Z]+)\b"
)
# What a document named in a question does, so that its kind is the last word of its name.
_DOES = {
    *map(
        stem,
        words(
            """end expire start begin commence run last renew terminate cover apply state say mention take
            come allow permit require give set cost contain provide define describe report bind forbid
            prohibit demand specify differ change become sent made given written drawn held"""
        ),
    )
}
_ANY_CONTRACT = {*map(stem, words("agreement contract"))}
_CHANGING, _CONTRACTS, _SMALL = ({*map(stem, each)} for each in (CHANGING, CONTRACTS, FUNCTION_WORDS))
_KIND_WORDS = DOCUMENTS | CONTRACTS | CHANGING
_NAMED_KINDS = _stems(_KIND_WORDS)
_CHANGING_KINDS = _CHANGING | {stem("deed"), stem("letter")}
_KIND = rf"(?i:{'|'.join(sorted(_KIND_WORDS))})"
_NAMED_BY_KIND = re.compile(
    r"\b(?i:the|our|my|this) (?P<name>(?:(?!(?i:the|our|my|this|of|in|to)\b)[\w’'-]+ ){0,3}?"
    rf"{_KIND}(?: {_KIND})*)\b(?!-)"
    r"(?P<of> of (?:the )?(?!the\b)[\w’'-]+)?\W*(?P<after>[\w’'-]*)"
)
_CALLS_ITSELF = re.compile(
    rf"\b[Tt]his ((?:[A-Z][a-z]+ ){{0,2}}(?=[A-Z]){_KIND})\b|\bThis ((?:[a-z]+ ){{0,2}}{_KIND})\b"
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


def with_amendments(named: Set[str], changes: Mapping[str, Collection[str]]) -> Set[str]:
    """These documents and those that change one of them. changes: the titles of what each one changes."""
    return named | {title for title, changed in changes.items() if not named.isdisjoint(changed)}


def others_than_named(
    question: str,
    passages: Mapping[str, Collection[str]],
    changes: Mapping[str, Collection[str]],
    *,
    own: bool = False,
) -> Set[str]:
    """Titles of the documents that are not the one which the question names by its kind: "Who signed the
    lease?" asks nobody who signed a quarterly report. Empty where it names none, or none of its kind is
    there.

    changes: the titles of what each one changes. own: whether each document has its own of what is asked, so
    that an amendment, too, is another document.
    """
    known = {title: _Called(title, texts) for title, texts in passages.items()}
    named: set[str] = set()
    for name in _names_by_kind(question):
        fits = {title: called.named_by(name) for title, called in known.items()}
        most = max(fits.values(), default=0)
        named |= {title for title, words in fits.items() if words == most > 0}
    return set(known) - (named if own else with_amendments(named, changes)) if named else set()


def without_kinds(question: str) -> str:
    """The question without the documents that it names by their kind."""
    return _NAMED_BY_KIND.sub(lambda found: found["after"], question)


def _names_by_kind(question: str) -> Iterator[Set[str]]:
    """The stems of the words with which documents are named, that of a kind the last of each but for
    "of ...": "the lease", "the deed of variation"; not "the lease payments".
    """
    for found in _NAMED_BY_KIND.finditer(question):
        after = found["after"].lower()
        is_done = after.endswith("ed") or stem(after) in _DOES
        if found["of"] or not after or after in FUNCTION_WORDS or is_done:
            yield _stems(f"{found['name']} {found['of'] or ''}".split()) - _SMALL


class _Called:
    """What a document is called: by its title, and by itself. What changes another is not of its kind."""

    def __init__(self, title: str, texts: Collection[str]) -> None:
        titled = _stems(re.findall(r"[^\W\d_]+", title))
        told = _CALLS_ITSELF.finditer("\n".join(texts))
        called = _stems([word for found in told for word in found[0].split()[1:]])
        self._words = titled | called
        kinds = (titled & _NAMED_KINDS) or (called & _NAMED_KINDS)
        self.kinds = kinds & _CHANGING_KINDS if kinds & _CHANGING else kinds

    def named_by(self, name: Set[str]) -> int:
        """How many of these words are its own, and one for their kind; 0 if it is of another."""
        kinds = name & _NAMED_KINDS
        is_contract = kinds & _ANY_CONTRACT and self.kinds & (_CONTRACTS - _CHANGING)
        if not (kinds & self.kinds or is_contract):
            return 0
        return 1 + len((name - _ANY_CONTRACT) & self._words)


def without_sources(question: str) -> str:
    """The question without the documents that it names, and what these are asked to do: "what did the
    questionnaire promise?" becomes "what did?".
    """
    for pattern in _SOURCES:
        question = pattern.sub(_without_name, question)
    return " ".join(question.split())


def sources_in(question: str) -> str:
    """The words with which it names its sources: "under the contract of employment"."""
    return " ".join(found[0] for found in _UNDER_ONE.finditer(question))


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


def _shared(meant: Sequence[frozenset[str]], known: set[str]) -> int:
    """How many words of a name are known; 0 where its last, the kind, is not."""
    return sum(not each.isdisjoint(known) for each in meant) if meant[-1] & known else 0
