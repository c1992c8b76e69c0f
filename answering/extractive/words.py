"""Words of questions and sentences: content words by their stems, names, and how well two texts meet."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from english.dates import CALENDAR, RECENT_YEAR
from english.lexicon import american, carriers, root
from english.word_families import family
from text.stems import stem as stem_of
from text.word_lists import FUNCTION_WORDS, words
from text.words import COMPOUND

_TIME = re.compile(rf"{RECENT_YEAR}|Q[1-4]|FY'?\d+|{CALENDAR.pattern}")
_QUOTED = re.compile(r"[\"“‘]([^\"”’]{3,60})[\"”’]")
_OWNER = re.compile(r"\b([A-Z]\w+)['’]s\b")
# "What is the name of Acme's bank?": what follows the owner is a noun, as no verb can.
_POSSESSED = re.compile(
    r"^\W*(?i:what|which|who|whose|how (?:much|many|large|high|big|old))\b"
    r"(?: [\w-]+){0,3}? (?:is|are|was|were) [^,;?]*?"
    r"\b[A-Z][\w&.-]*(?:['’]s|(?<=s)['’]) (?P<asked>[^,;?()]+)"
)
# "What was the revenue of Acme?"
_POSSESSED_BY = re.compile(
    r"^\W*(?i:what|which|who|how (?:much|many|large|high|big|old))\b"
    r"(?: [\w-]+){0,3}? (?:is|are|was|were) the (?P<asked>[\w-]+(?: [\w-]+){0,3}?) (?:of|at) (?:the )?[A-Z]"
)
# "What does the handbook say about attendance?", "Does it mention overtime?"
_TOPIC = re.compile(
    r"\b(?:(?:say|says|said|state|states|tell|tells|told)\b[^,;?]{0,40}? (?:about|on|regarding|concerning)"
    r"|mentions?|mentioned|address(?:es)?|cover(?:s|ed)?)\s+(?P<asked>[^,;?()]+)",
    re.IGNORECASE,
)
# "How soon must the Supplier renew the export licence?"
_DUTY = re.compile(
    r"^\W*(?:how (?:soon|quickly|fast|often)|when|by when)\b.{0,20}?\b(?:must|shall)\s+(?:the\s+)?\w+"
    r"(?:\s\w+)?\s\w+\s(?:the|an?|its|their|any)\s(?P<asked>[^,;?()]+)",
    re.IGNORECASE,
)
_WITHIN_NOUN = words("and or of the")
_DOCUMENTS = words(
    "report reports filing filings agreement contract document documents letter paper statement"
)
_ISSUES = words("annual yearly quarterly monthly latest last recent new")
_TIMES = words(
    "quarter quarters year years month months fiscal ended period latest recent first second third fourth"
)
_SENTENCE_EDGE = re.compile(r"[.?!:]\s+")
ENGLISH = 0.2  # share of function words in an English question: only there does a capital mark a name
TITLE_CASE = 0.5  # share of capitals from which they mark no names
SPELT_OUT = 5  # capital letters; fewer are an abbreviation
STEMS_KEPT = 16_384
TEXTS_KEPT = 2_048  # headings, sentences and their neighbours: a question looks at each several times
COMMONEST = 0.05  # what a word counts at least, however common it is


@lru_cache(STEMS_KEPT)
def stem(word: str) -> str:
    """Its stem, the same for "recognise" and "recognize"."""
    return stem_of(american(word.lower()))


@lru_cache(TEXTS_KEPT)
def stems(text: str) -> tuple[str, ...]:
    """Content words without their endings, in order; hyphens separate."""
    return tuple(stem(word) for word in _words(text) if word.lower() not in FUNCTION_WORDS)


def _words(text: str) -> list[str]:
    return [word for compound in COMPOUND.findall(text) for word in compound.split("-")]


def names(question: str) -> list[str]:
    """What must stand somewhere near an answer: names, codes, years, words in quotation marks."""
    marked = [word for phrase in _QUOTED.findall(question) for word in phrase.split()]
    marked += _OWNER.findall(question)
    for sentence in _SENTENCE_EDGE.split(question):
        for position, word in enumerate(COMPOUND.findall(sentence)):
            odd = any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:])
            if odd or (position and word[0].isupper() and len(word) > 1):
                marked.append(word)
    bare = dict.fromkeys(map(_bare, marked))
    return [word for word in bare if not CALENDAR.fullmatch(word)]


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def owners(question: str) -> list[str]:
    """Names whose own something is asked for: "Boeing's tax rate"."""
    return _OWNER.findall(question)


def matter(question: str) -> str:
    """The question without its names, times and figures: what is asked about them."""
    named = {name.lower() for name in names(question)}
    kept = [
        word
        for word in COMPOUND.findall(question)
        if _bare(word).lower() not in named and not CALENDAR.fullmatch(word) and word.lower() not in _TIMES
    ]
    return " ".join(kept)


def times(question: str) -> list[str]:
    """Stems of the words with which a question names its time: "the third quarter of 2022"."""
    return [
        stem(word) for word in COMPOUND.findall(question) if _TIME.fullmatch(word) or word.lower() in _TIMES
    ]


def possessed(question: str, *, figure: bool) -> tuple[str, ...]:
    """Of "What was Acme's rate of tax in 2024?" the stems of "rate of tax": an asked-for attribute. Empty for
    questions of other forms, and where only a document is spoken of ("Acme's annual report").

    figure: it is one, and named where it stands: then also of "What was the profit of Acme?".
    """
    found = _POSSESSED.search(question) or (figure and _POSSESSED_BY.search(question))
    taken = list(takewhile(_is_within_noun, COMPOUND.findall(found["asked"]))) if found else []
    if taken and taken[-1].lower() in _DOCUMENTS:
        taken = [word for word in taken[:-1] if word.lower() not in _ISSUES]
    return stems(" ".join(taken))


def topic(question: str) -> tuple[str, ...]:
    """Of "What does the handbook say about attendance?" the stem of "attendance", and of "How soon must the
    Supplier renew the export licence?" those of what is to be renewed. Empty for other forms.
    """
    found = _TOPIC.search(question) or _DUTY.search(question)
    taken = takewhile(_is_within_noun, COMPOUND.findall(found["asked"])) if found else ()
    return stems(" ".join(taken))


def _is_within_noun(word: str) -> bool:
    lower = word.lower()
    return lower in _WITHIN_NOUN or not (
        lower in FUNCTION_WORDS or lower in _TIMES or CALENDAR.fullmatch(word) or any(map(str.isdigit, word))
    )


def is_proper(name: str) -> bool:
    """Whether it names somebody or something: a capital and at least three letters, no figure."""
    return name[0].isupper() and sum(map(str.isalpha, name)) == len(name.replace("-", "")) > 2


def identifying(question: str) -> list[str]:
    """The names that the documents must have somewhere if they answer the question at all.

    Not so abbreviations, which documents may spell out, and whatever begins with a capital in other languages
    or in a question that is written like a title.
    """
    words = COMPOUND.findall(question)
    capitals = sum(word[0].isupper() for word in words[1:])
    function_words = sum(word.lower() in FUNCTION_WORDS for word in words)
    if function_words < ENGLISH * len(words) or capitals > TITLE_CASE * len(words):
        return []
    return [
        name for name in names(question) if is_proper(name) and not (name.isupper() and len(name) < SPELT_OUT)
    ]


def mentions(name: str, known: set[str]) -> bool:
    """Whether a text with these stems has the name."""
    return all(stem(word) in known for word in _words(name))


class Terms:
    """A question's content words, each with its share of the question: words rare in the texts count more."""

    def __init__(self, question: str, texts: Sequence[set[str]]) -> None:
        counts = Counter(word for text in texts for word in text)
        weights = {
            word: max(math.log((len(texts) + 1) / (counts[word] + 0.5)), COMMONEST)
            for word in stems(question)
        }
        total = sum(weights.values())
        self._shares = {word: weight / total for word, weight in weights.items()}
        self._near = {word: {*family(word, counts), *map(stem, carriers(root(word)))} for word in weights}

    def covered(self, text: set[str]) -> float:
        """The share of the question that a text with these stems has, 0 to 1."""
        return sum(share for word, share in self._shares.items() if word in text)

    def meant(self, text: set[str]) -> float:
        """The share of the question that a text with these stems has, be it by a synonym or a word made of
        the same one.
        """
        return sum(share for word, share in self._shares.items() if not self._near[word].isdisjoint(text))
