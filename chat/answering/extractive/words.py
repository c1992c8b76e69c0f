"""Words of questions and sentences: stems, names, plain words for formal ones, and how well they meet."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from rapidfuzz import fuzz

FUNCTION_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been before being between both but by can could did
    do does during each for from get gets give given had has have he her him his how i if in into is it its
    last many may me might more most much must my no nor not of on once one or other our out over own per
    please same say says shall she should so some such tell than that the their them then there these they
    this those to under until up upon us very was we were what when where whether which while who whom
    whose why will with would you your
    """.split()  # noqa: SIM905 - a column of quoted words reads worse
)
_WORD = re.compile(r"[^\W_]+(?:[.,’'&-][^\W_]+)*")
_SUFFIX = re.compile(
    r"(?:isations?|izations?|ations?|ments?|ings?|ers?|ors?|ed|ies|ied|ives?|ance|ence|ally|ly|es|s|e|y|'s|’s)$"
)
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_CALENDAR = re.compile(rf"{MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
# Plain words and what formal writing says instead.
_SAME = tuple(
    line.split()
    for line in """
    begin start commence effective
    end finish expire terminate termination cancel leave
    stop suspend discontinue cease
    buy purchase acquire acquisition bought
    sell sale sold sales revenue turnover
    cost price fee charge charged consideration expense expenditure spend spent
    pay paid payment remuneration compensation
    tell told notify notification report inform
    say said state
    send sent deliver dispatch
    give given grant provide
    get receive obtain
    keep kept retain retention hold held store
    delay late postpone defer
    break breach leak
    fault default failure
    court jurisdiction lawsuit litigation proceedings legal
    rule law regulation
    job work employment staff employee workforce headcount
    boss manager director chief
    owner own shareholder holder stake
    limit cap maximum ceiling most
    least minimum
    bill invoice
    loan debt borrow borrowing notes
    deal agreement contract
    change amend amendment vary variation revise
    raise increase grow growth rise higher
    fall decrease decline drop lower reduce reduction
    allow permit may can
    must shall required obligation
    copy backup duplicate
    accountant auditor
    factor driver due
    """.strip().splitlines()
)
EQUAL, RELATED, MISSPELT, SYNONYM = 1.0, 0.8, 0.8, 0.6  # how far a word of the text counts as the question's
STEM_SHARED = 5  # letters that related words begin with
ENDING = 4  # letters by which related words may differ at the end
SPELT_ALIKE = 86  # of 100, for words of at least STEM_SHARED letters


def stems(text: str) -> list[str]:
    """Content words without their endings, in order; hyphens separate."""
    return [stem(word) for word in words(text) if word.lower() not in FUNCTION_WORDS]


def words(text: str) -> list[str]:
    return [word for found in _WORD.findall(text) for word in found.split("-")]


@cache
def stem(word: str) -> str:
    word = word.lower().removesuffix("'s").removesuffix("’s")
    for _ in range(2):
        shorter = _SUFFIX.sub("", word)
        if len(shorter) < 4:
            break
        word = shorter
    return word


_SYNONYMS: dict[str, set[str]] = {}
for _group in _SAME:
    for _one in _group:
        _SYNONYMS.setdefault(stem(_one), set()).update(map(stem, _group))


def names(question: str) -> list[str]:
    """What must stand somewhere near an answer: names, codes, years, words in quotation marks."""
    quoted = re.findall(r"[\"“‘]([^\"”’]{3,60})[\"”’]", question)
    found = [word for phrase in quoted for word in phrase.split()]
    for sentence in re.split(r"[.?!:]\s+", question):
        words = _WORD.findall(sentence)
        for position, word in enumerate(words):
            odd = any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:])
            if odd or (position and word[0].isupper() and len(word) > 1):
                found.append(word)
    bare = dict.fromkeys(word.removesuffix("'s").removesuffix("’s") for word in found)
    return [word for word in bare if not _CALENDAR.fullmatch(word)]


def is_proper(name: str) -> bool:
    """Whether it names somebody or something: a capital and at least three letters, no figure."""
    return name[0].isupper() and sum(map(str.isalpha, name)) == len(name.replace("-", "")) > 2


def spells(name: str, text: str) -> bool:
    """Whether the text has the words that a name of capitals is short for: "R&D", "VAT"."""
    letters = [letter for letter in name if letter.isalpha()]
    if name.upper() != name or not 2 <= len(letters) <= 6:
        return False
    long = r"\W+(?:(?:and|of|for|the) )?".join(rf"{letter}\w+" for letter in letters)
    return bool(re.search(rf"\b{long}", text, re.IGNORECASE))


def mentions(name: str, known: set[str], text: str) -> bool:
    """Whether a text with these stems has the name, be it spelt out."""
    return all(stem(word) in known for word in words(name)) or spells(name, text)


class Terms:
    """A question's content words, each with its share of the question: words rare in the texts count more."""

    def __init__(self, question: str, texts: Sequence[set[str]]) -> None:
        seen = Counter(word for text in texts for word in text)
        self._alike = {word: _alike(word, seen) for word in dict.fromkeys(stems(question))}
        raw = {
            word: math.log((len(texts) + 1) / (max((seen[other] for other in alike), default=0) + 0.5))
            for word, alike in self._alike.items()
        }
        raw = {word: max(value, 0.05) for word, value in raw.items()}
        total = sum(raw.values())
        self.shares = {word: value / total for word, value in raw.items()}
        self.rarest = max(raw, key=lambda word: raw[word], default="")

    def met(self, word: str, text: set[str]) -> float:
        """How well the text has the word, 0 to 1."""
        return max((like for other, like in self._alike[word].items() if other in text), default=0.0)

    def covered(self, text: set[str]) -> float:
        """The share of the question that the text has, 0 to 1."""
        return sum(share * self.met(word, text) for word, share in self.shares.items())


def _alike(word: str, vocabulary: Iterable[str]) -> dict[str, float]:
    """Words of the vocabulary that may stand for the question's word, and how far they do."""
    synonyms = _SYNONYMS.get(word, set())
    found = {}
    for other in vocabulary:
        if other == word:
            found[other] = EQUAL
        elif other in synonyms:
            found[other] = SYNONYM
        elif min(len(word), len(other)) < STEM_SHARED or other[0] != word[0]:
            continue
        elif other[:STEM_SHARED] == word[:STEM_SHARED] and (word.startswith(other) or other.startswith(word)):
            if abs(len(word) - len(other)) <= ENDING:
                found[other] = RELATED
        elif not any(map(str.isdigit, word)) and fuzz.ratio(word, other) >= SPELT_ALIKE:
            found[other] = MISSPELT
    return found
