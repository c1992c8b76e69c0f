"""Which sentences answer a question: nearness in meaning, shared words, and what kind of answer is wanted."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

from providers.base import Embedder, Vectors
from providers.sentences import MAX_QUOTE, Part, parts

MAX_EMBEDDED = 32  # parts whose vectors are made for one question; the rest are left out by their words
MIN_PART = 12  # characters; less is no answer to anything

# Shares of the score. Meaning leads; the others move a sentence by about the distance that meaning leaves
# between a right sentence and its neighbours.
MEANING = 1.0
PASSAGE = 0.5  # how near the whole passage is
WORDS = 0.3
KIND_OF_ANSWER = 0.2  # a date for "when", a sum for "how much"
NAMED_DOCUMENT = 0.1  # "in the questionnaire"
MISSING_NAME = 0.2  # a name, code or year of the question stands neither here nor around
CUT = 0.1  # a sentence that begins or ends outside the passage, or says next to nothing
SHORT = 40  # characters; a shorter sentence says little without its neighbours
RUNNING_LINES = 3  # a line met this often in one document belongs to the page, not to the text
COMMON = 0.3  # a name in more than this share of the passages tells them apart no more
REPLACES = 0.15  # "is deleted and replaced with", when the question is about a change

_FUNCTION_WORDS = frozenset(
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
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_CALENDAR = re.compile(rf"{_MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
_COUNT = (
    r"(?:\d[\d.,]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|half|no|nil))"
)
_DATE = re.compile(rf"\b\d{{1,2}} {_MONTH}\b|\b{_MONTH} \d{{1,4}}\b|\b(?:1[89]|20)\d\d\b")
_SPAN = re.compile(
    rf"{_COUNT}\)?[ -](?:\w+[ -])?(?:second|minute|hour|day|week|month|year|quarter)s?\b", re.IGNORECASE
)
_SUM = re.compile(
    r"[$€£¥]\s?\d|\b(?:USD|EUR|GBP)\b"
    rf"|{_COUNT}\s?(?:%|per cent|percent|million|billion|pence|cents|dollars|euros|pounds)",
    re.IGNORECASE,
)
_NUMBER = re.compile(_COUNT, re.IGNORECASE)
_PERSON = re.compile(r"[^\W\d_a-z][\w’'-]+ (?:[^\W\d_a-z]\S* )*(?:[^\W\d_a-z][\w’'-]+|LLP|plc)")
_REASON = re.compile(
    r"\b(?:because|since|due to|caused|owing to|reason|so that|therefore|chiefly|as a result|in order to"
    r"|led to|when)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|unless|only|provided|except|where|subject to)\b", re.IGNORECASE)
# The first that fits the question says what its answer looks like.
_KINDS = tuple(
    (re.compile(asked, re.IGNORECASE), answered)
    for asked, answered in (
        (
            r"\bhow (?:long|soon|quickly|fast|often|late)\b|how much (?:notice|time)|\bdeadlines?\b"
            r"|how many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)|\b\w+ing time\b|\bnotice period",
            _SPAN,
        ),
        (
            r"\bhow much\b|\bcosts?\b|\bspen[dt]\b|\bpaid\b|\bworth\b"
            r"|\bwhat (?:\w+ ){0,4}(?:cost|price|fee|charge|penalty|rent|dividend|salary|profit|revenue|sales"
            r"|sum|amount)\b",
            _SUM,
        ),
        (r"\bwhen\b|\b(?:what|which) (?:date|day|year|month)\b", _DATE),
        (
            r"\bhow (?:many|low|high|large|big|old|far)\b|\bmost that\b"
            r"|\bwhat (?:value|number|percentage|share|rate|target)\b",
            _NUMBER,
        ),
        (r"\bwho\b|\bwhose\b", _PERSON),
        (r"\bwhy\b|\breasons?\b|\bcaused?\b|\bwent wrong\b", _REASON),
        (r"\bconditions?\b|\bcircumstances\b|\b(?:may|can) (?:we|i|they|it)\b", _CONDITION),
    )
)
_COUNTED = re.compile(r"\bhow many (?:of )?(?:[\w-]+['’]s? )?([\w-]+)", re.IGNORECASE)
_CHANGE = re.compile(
    r"\bchang\w+|\bamend\w*|\breplac\w+|\bdiffer\w*|\bbefore and after\b"
    r"|\b(?:old|new|previous|former|original)(?:ly)?\b|\bused to\b|\bwas it before\b|\bnow\b",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"\b(?:deleted|replaced|amend(?:ed|ment)?|addendum|substituted|superseded|instead of|in place of)\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(r"\b(?:the|this|that|our|their|each) (?:[\w-]+ )?([\w-]+)", re.IGNORECASE)
_CLAUSE_NUMBER = re.compile(r"^\W*(?:\d{1,3}(?:\.\d{1,3})*|\([a-z]{1,3}\))\.?\s")
_REFERENCE = re.compile(
    r"\b(?:clauses?|sections?|articles?|schedules?|table|figure|no\.?) \d[\d.]*(?:(?:, | and )\d[\d.]*)*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_LEANS = re.compile(
    r"(?:It|Its|This|That|These|Those|They|Their|He|She|His|Her|Such|The (?:same|latter|former))\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage as a tool gave it; `score` is its nearness in meaning, 0 to 1."""

    key: str
    document: str
    text: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A quotable part: passage.text[start:end], with all that its score rests on."""

    passage: Passage
    start: int
    end: int
    text: str  # white space folded
    around: str  # heading, table head, or the sentence that it leans on
    kind: str
    whole: bool
    score: float = 0.0
    vector: Vectors | None = None  # of around and text

    @property
    def quote(self) -> str:
        return self.passage.text[self.start : self.end]


def stems(text: str) -> list[str]:
    """Content words without their endings, in order; hyphens separate."""
    return [_stem(word) for word in _words(text) if word.lower() not in _FUNCTION_WORDS]


def _words(text: str) -> list[str]:
    return [word for found in _WORD.findall(text) for word in found.split("-")]


def _stem(word: str) -> str:
    word = word.lower().removesuffix("'s").removesuffix("’s")
    for _ in range(2):
        shorter = _SUFFIX.sub("", word)
        if len(shorter) < 4:
            break
        word = shorter
    return word


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` is what is searched for; `asked` is the part that says which kind of answer is wanted."""

    text: str
    asked: str


def candidates(passages: Sequence[Passage]) -> list[Candidate]:
    """Quotable parts without repeats; a line that runs along the top of pages is none."""
    found: dict[str, Candidate] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for passage in passages:
        for one in _of(passage):
            seen[one.text, passage.document] += one.kind == "row"
            kept = found.get(one.text)
            if kept is None or (one.whole and not kept.whole) or len(one.around) > len(kept.around):
                found[one.text] = one
    wholes = [one.text for one in found.values() if one.whole and one.kind != "row"]
    return [
        one
        for one in found.values()
        if seen[one.text, one.passage.document] < RUNNING_LINES
        and (one.whole or not any(one.text in other for other in wholes))
    ]


def rank(
    questions: Sequence[Question], found: Sequence[Candidate], passages: Sequence[Passage], embedder: Embedder
) -> list[list[Candidate]]:
    """For each question the candidates, the fittest first. The first question chooses which are looked at."""
    if not found or not questions:
        return [[] for _ in questions]
    askings = [_Asking(question, passages) for question in questions]
    kept = sorted(range(len(found)), key=lambda i: (-askings[0].at_first_sight(found[i]), i))[:MAX_EMBEDDED]
    looked_at = [found[i] for i in sorted(kept)]
    texts = [f"{one.around} {one.text}".strip() for one in looked_at]
    vectors = embedder.embed([*(question.text for question in questions), *texts])
    own, theirs = vectors[: len(questions)], vectors[len(questions) :]
    rankings = []
    for asking, row in zip(askings, own @ theirs.T, strict=True):
        scored = [
            replace(one, score=MEANING * float(near) + asking.score(one), vector=vector)
            for one, near, vector in zip(looked_at, row, theirs, strict=True)
        ]
        rankings.append(sorted(scored, key=lambda one: -one.score))
    return rankings


class _Asking:
    """What a question wants beyond its meaning."""

    def __init__(self, wanted: Question, passages: Sequence[Passage]) -> None:
        question = wanted.text
        self.weights = _weights(question, passages)
        self.kind = next((answered for asked, answered in _KINDS if asked.search(wanted.asked)), None)
        counted = _COUNTED.search(wanted.asked)
        self.counted = _stem(counted.group(1)) if counted else ""
        self.years = set(_YEAR.findall(question))
        self.change = bool(_CHANGE.search(question))
        self.titles = {_stem(found) for found in _DEICTIC.findall(question)}
        if self.titles & {"contract", "agree"}:  # the two words that people use for one document
            self.titles |= {"contract", "agree"}
        texts = [f"{one.document} {one.text}" for one in passages]
        self.known = [set(map(_stem, _words(text))) for text in texts]
        self.names = [
            name
            for name in names(question)
            if sum(map(_mentions, repeat(name), self.known, texts)) <= COMMON * len(passages)
        ]

    def at_first_sight(self, one: Candidate) -> float:
        return _word_score(one, self.weights) + PASSAGE * one.passage.score + KIND_OF_ANSWER * self.fits(one)

    def fits(self, one: Candidate) -> float:
        """1 when the part holds the wanted kind of answer, 0 when not, one half when any kind will do."""
        if self.kind is None:
            return 0.5
        plain = _REFERENCE.sub(" ", _CLAUSE_NUMBER.sub("", one.text))
        if self.kind is _DATE and not _DATE.search(plain):
            return 0.5 * bool(_SPAN.search(plain))
        if not self.kind.search(plain):
            return 0.0
        return 1.0 if not self.counted or self.counted in stems(f"{one.around} {one.text}") else 0.5

    def score(self, one: Candidate) -> float:
        titled = bool(self.titles & set(stems(one.passage.document)))
        replaces = 0.0
        if self.change:
            replaces = (
                1.0 if _REPLACED.search(one.text) else 0.5 * bool(_REPLACED.search(one.passage.document))
            )
        short = one.kind != "row" and len(one.text) < SHORT
        return (
            WORDS * _word_score(one, self.weights)
            + PASSAGE * one.passage.score
            + KIND_OF_ANSWER * self.fits(one)
            + NAMED_DOCUMENT * titled
            + REPLACES * replaces
            - MISSING_NAME * self._missing(one)
            - CUT * (short or not one.whole)
        )

    def _missing(self, one: Candidate) -> float:
        """The share of the question's names that stand neither in the part nor around it."""
        near = f"{one.around} {one.text}"
        if self.years and (years := set(_YEAR.findall(near))) and not self.years & years:
            return 1.0
        if not self.names:
            return 0.0
        wide = f"{one.passage.document} {one.passage.text}"
        known = set(map(_stem, _words(wide)))
        return sum(not _mentions(name, known, wide) for name in self.names) / len(self.names)


def _mentions(name: str, known: set[str], text: str) -> bool:
    return all(_stem(word) in known for word in _words(name)) or _spells(name, text)


def _spells(name: str, text: str) -> bool:
    """Whether the text has the words that a name of capitals is short for: "R&D", "VAT"."""
    letters = [letter for letter in name if letter.isalpha()]
    if name.upper() != name or not 2 <= len(letters) <= 6:
        return False
    long = r"\W+(?:(?:and|of|for|the) )?".join(rf"{letter}\w+" for letter in letters)
    return bool(re.search(rf"\b{long}", text, re.IGNORECASE))


def _weights(question: str, passages: Iterable[Passage]) -> dict[str, float]:
    """Each content word's share of the question, rare words more; the shares add up to 1."""
    texts = [set(stems(f"{one.document} {one.text}")) for one in passages]
    seen = Counter(word for text in texts for word in text)
    words = [word for word in _words(question) if word.lower() not in _FUNCTION_WORDS]
    raw = {word: math.log((len(texts) + 1) / (seen[_stem(word)] + 0.5)) for word in dict.fromkeys(words)}
    total = sum(raw.values())
    return {word: value / total for word, value in raw.items()} if total > 0 else {}


def _word_score(one: Candidate, weights: dict[str, float]) -> float:
    own, near = set(stems(one.text)), set(stems(one.around))
    return sum(
        share
        * (1.0 if _stem(word) in own or _spells(word, one.text) else 0.6 if _stem(word) in near else 0.0)
        for word, share in weights.items()
    )


def _of(passage: Passage) -> Iterable[Candidate]:
    items = parts(passage.text)
    position, before = 0, ""
    while position < len(items):
        last = position
        if items[position].text.endswith("?"):
            last = _end_of_answer(items, position)
        part, end = items[position], items[last]
        text = " ".join(passage.text[part.start : end.end].split())
        answers = last > position or not part.text.endswith("?")
        if part.kind != "heading" and answers and len(text) >= MIN_PART:
            leans = before if _LEANS.match(text) and len(text) >= SHORT else ""
            yield Candidate(
                passage=passage, start=part.start, end=end.end, text=text, kind=part.kind,
                around=" ".join(filter(None, (part.about, leans))), whole=part.whole and end.whole,
            )  # fmt: skip
        before = text if part.kind == "sentence" else ""
        position = last + 1


def _end_of_answer(items: Sequence[Part], position: int) -> int:
    """A question in a document is quoted with its answer, and a "Yes." with what follows."""
    last = position
    while last + 1 < len(items) and items[last + 1].kind == "sentence":
        following = items[last + 1]
        if following.text.endswith("?") or following.end - items[position].start > MAX_QUOTE:
            break
        last += 1
        if len(following.text) >= 30:
            break
    return last
