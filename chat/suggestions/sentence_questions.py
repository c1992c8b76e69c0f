"""Questions that a sentence answers, made by rearranging it, and only if its grammar is simple."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from text.months import MONTH
from text.stems import stem
from text.word_lists import FUNCTION_WORDS, words

LONGEST = 260  # characters of a sentence that is turned around
LONGEST_SUBJECT = 9  # words
SHORTEST = 3  # letters of the longest word of what is asked for

_MODALS = "shall|must|may|will|can|should"
_BE = "is|are|was|were"
_WORD = r"[\w’'&./-]+"
_STATEMENT = re.compile(
    rf"(?P<subject>{_WORD}(?: {_WORD}){{0,{LONGEST_SUBJECT - 1}}}?) (?P<verb>{_BE}|{_MODALS}) (?P<rest>.+)\."
)
_NUMBER = re.compile(r"^(?:\W*\d{1,3}(?:\.\d{1,3})*\.?|[-•▪●]|\([a-z\d]{1,3}\))\s+")
_NAMED = re.compile(r"(?:presents?|introduces?|proposes?|describes?) ([A-Z]\w*[A-Z]\w*),? an? ")
_MEANS = re.compile(
    r"(?:the term )?[“\"‘']([^”\"’]{3,60})[”\"’'] (?:shall mean|means|refers to|is defined as)\b",
    re.IGNORECASE,
)
_AMOUNT = (
    r"(?:[$€£¥]\s?\d[\d.,]*\d(?: (?:million|billion|thousand)\b)?"
    r"|\d[\d.,]*\s?(?:%|percent\b|per cent\b|million\b|billion\b))"
)
_VALUE = re.compile(
    rf"(?:about |approximately |only |set at |equal to |limited to )?(?:{_AMOUNT}|\d|an? |the |not )"
)
_CHANGED = re.compile(
    rf"(?P<subject>{_WORD}(?: {_WORD}){{0,{LONGEST_SUBJECT - 1}}}?) "
    r"(?P<verb>increased|decreased|grew|rose|fell|declined|dropped) (?P<rest>.+)\."
)
# What a thing holds or asks for: the verb as it is written, and after "does" or "must".
_CONTENTS = {
    "includes": "include",
    "contains": "contain",
    "covers": "cover",
    "addresses": "address",
    "comprises": "comprise",
    "specifies": "specify",
    "requires": "require",
    "describes": "describe",
    "consists of": "consist of",
    "depends on": "depend on",
    "applies to": "apply to",
}
_CONTAINING = re.compile(
    rf"(?P<subject>{_WORD}(?: {_WORD}){{0,{LONGEST_SUBJECT - 1}}}?) (?:(?P<modal>{_MODALS}) )?"
    rf"(?P<verb>{'|'.join([*_CONTENTS, *_CONTENTS.values()])}) (?P<rest>.+)\."
)
_DETERMINED = re.compile(r"(?:an?|the|all|both|how|what|which|whether)\b")
_BASES = {"grew": "grow", "rose": "rise", "fell": "fall", "dropped": "drop"}
_CAUSE = re.compile(
    r"(?:^|,? )(?:(?:primarily|mainly|largely|partly|chiefly|driven) )*"
    r"(?:because(?: of)?|due(?: primarily| mainly)? to|owing to|as a result of|driven(?: primarily)? by"
    r"|attributable to|reflecting)\b"
)
_CONDITION = re.compile(r",? (?:only )?(?:if|when) ")
_DATE = re.compile(rf" (?:on|in|by|from|until) (?:\d{{1,2}} )?(?:{MONTH}|(?:1[89]|20)\d\d)\b.*")
_DEADLINE = re.compile(
    r" (?:within|no later than|not later than) .*?\b(?:days?|hours?|weeks?|months?|minutes|years?)\b"
)
_AGENT = re.compile(r"(\w+ed) by (?:the |an? )?[A-Z][^,;]*")
_PARTICIPLE = re.compile(
    r"(?:\w+ly )?(?:\w+ed|made|held|given|built|found|born|paid|sent|known|written|begun|sold|set)\b"
)
# What is left over at the end once the answer has been cut off.
_LOOSE_END = re.compile(
    r",? (?:and|or|but|only|also|primarily|in any (?:event|case)|without undue delay|promptly|at least)$"
)
_BREAKS = re.compile(r"[,;:()“”\"]| – | - ")
# What a subject that is a plain noun phrase does not have: another verb, a clause, a reference back.
_NO_SUBJECT = words(
    """it he she they we i you this that these those there which who whom whose what when where why how if
    because although though while as such each either neither none nothing everything all some any many most
    several others another both let see has have had do does did says said be been being not no nor or but so
    then thus however therefore also our your my his her their its us them following above below same former
    latter one ones mr mrs page note figure table section item exhibit"""
)
_FINITE = words(f"{_BE} {_MODALS} could would might".replace("|", " "))  # "May" and "Will" are names
# What stands at a place on a page or in a row of things says nothing by itself.
_PLACES = words("top middle bottom left right upper lower first second third next last final previous")
_GENERIC = words("company group parties party amount number result results example reason section part")
_REFERENCE = re.compile(
    r"\b(?:this|these|those|such|it|its|they|their|them|he|his|she|her|we|our|us|i|my|above|below"
    r"|following|aforementioned|thereof|hereof|herein|hereunder|respectively|former|latter"
    r"|also|therefore|thus|hence|moreover|furthermore|nevertheless|accordingly|otherwise|instead)\b",
    re.IGNORECASE,
)
_VERBAL = re.compile(r"\w+(?:ed|ing)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A question, what kind it is, and what it is about."""

    question: str
    kind: str  # "definition", "value", "reason", "condition", "date", "deadline", "payment", "change" ...
    subject: str


def turned(sentence: str, written: Collection[str]) -> Iterator[Turned]:
    """Questions that the sentence answers. written: the document's words as it writes them within a sentence.

    The sentence has its white space folded.
    """
    sentence = without_number(sentence)
    if len(sentence) > LONGEST:
        return
    if term := _MEANS.match(sentence):
        yield Turned(question=f"What does “{term[1]}” mean?", kind="definition", subject=term[1])
        return
    if name := _NAMED.search(sentence):
        yield Turned(question=f"What is {name[1]}?", kind="value", subject=name[1])
        return
    if (found := _CHANGED.fullmatch(sentence)) and (subject := plain_subject(found["subject"], written)):
        yield from _of_change(subject, found["verb"], found["rest"])
    elif (
        (found := _CONTAINING.fullmatch(sentence))
        and not (found["modal"] and (_DEADLINE.search(sentence) or _CONDITION.search(sentence)))
        and (subject := plain_subject(found["subject"], written))
    ):
        yield from _of_contents(subject, found)
    elif (found := _STATEMENT.fullmatch(sentence)) and (subject := plain_subject(found["subject"], written)):
        of = _of_being if found["verb"] in _BE.split("|") else _of_duty
        yield from of(subject, found["verb"], found["rest"])


def without_number(sentence: str) -> str:
    """Without the number or the bullet of its paragraph."""
    return _NUMBER.sub("", sentence)


def _of_change(subject: str, verb: str, rest: str) -> Iterator[Turned]:
    base = _BASES.get(verb) or verb.removesuffix("d" if verb != "decline" else "")
    if cause := _CAUSE.search(rest):
        kept = re.sub(rf"^(?:by )?{_AMOUNT},?(?: or {_AMOUNT},?)?", "", rest[: cause.start()])
        yield from _asked(f"Why did {subject} {base} {kept}", "reason", subject)
    elif re.match(rf"(?:by )?{_AMOUNT}", rest):
        during = re.search(r" (?:during|in|for) the (?:\w+ ){1,4}(?:of (?:fiscal )?\d{4}|\d{4})", rest)
        yield from _asked(f"By how much did {subject} {base}{during[0] if during else ''}", "change", subject)


def _of_contents(subject: str, found: re.Match[str]) -> Iterator[Turned]:
    """ "What must the policy include?" """
    modal, verb, rest = found["modal"], found["verb"], found["rest"]
    is_noun = verb.startswith("address") and not _DETERMINED.match(rest)  # "e-mail addresses"
    is_anybody = " " not in subject and subject.islower()  # "organizations include ..."
    if is_noun or is_anybody or rest.startswith("the following") or len(rest.split()) < SHORTEST:
        return
    base = _CONTENTS.get(verb, verb)
    asks = ("must" if modal == "shall" else modal) if modal else "do" if verb == base else "does"
    yield from _asked(f"What {asks} {subject} {base}", "contents", subject)


def _of_being(subject: str, verb: str, rest: str) -> Iterator[Turned]:
    if cause := _CAUSE.search(rest):
        state = rest[: cause.start()]
        asked = f"Why {verb} {subject} {state}" if state else f"What {verb} {subject} due to"
        yield from _asked(asked, "reason", subject)
    elif (condition := _CONDITION.search(rest)) and not _VALUE.match(rest):
        if (state := rest[: condition.start()]) != "one":
            yield from _asked(f"When {verb} {subject} {state}", "condition", subject)
    elif verb in {"was", "were"} and (agent := _AGENT.fullmatch(rest)):
        yield from _asked(f"Who {agent[1]} {subject}", "agent", subject)
    elif _PARTICIPLE.match(rest):
        if date := _DATE.search(rest):
            yield from _asked(f"When {verb} {subject} {rest[: date.start()]}", "date", subject)
    elif _VALUE.match(rest) and not rest.startswith("not ") and _may_be_asked_for(subject, verb, rest):
        yield from _asked(f"What {verb} {subject}", "value", subject)


def _may_be_asked_for(subject: str, verb: str, rest: str) -> bool:
    """Not so a person, or a single noun that only has a value: "profit was 3 million"."""
    own = subject.split()
    if (len(own) > 1 and all(word[0].isupper() for word in own)) or not _PLACES.isdisjoint(own):
        return False
    if max(map(len, own)) < SHORTEST:
        return False
    return len(own) > 1 or (verb in {"is", "are"} and bool(re.match(r"(?:an?|the) ", rest)))


def _of_duty(subject: str, verb: str, rest: str) -> Iterator[Turned]:
    verb = "must" if verb == "shall" else verb
    if rest.startswith("not "):
        return
    if deadline := _DEADLINE.search(rest):
        yield from _asked(f"How soon {verb} {subject} {rest[: deadline.start()]}", "deadline", subject)
    elif condition := _CONDITION.search(rest):
        yield from _asked(f"When {verb} {subject} {rest[: condition.start()]}", "condition", subject)
    elif paid := re.match(rf"(pay|credit|receive) .{{0,30}}?{_AMOUNT}[\d,.]*", rest):
        after = rest[paid.end() :].split(",")[0]
        yield from _asked(f"How much {verb} {subject} {paid[1]}{after}", "payment", subject)


def _asked(text: str, kind: str, subject: str) -> Iterator[Turned]:
    """The question, unless what is left of the sentence is no plain phrase."""
    text = " ".join(text.split()).rstrip(" .,;")
    while (shorter := _LOOSE_END.sub("", text)) != text:
        text = shorter
    own = text.partition(subject)[2]
    if not _BREAKS.search(own) and not _REFERENCE.search(own) and len(text) < 120:
        yield Turned(question=f"{text}?", kind=kind, subject=subject)


def _is_one_common_noun(own: Sequence[str]) -> bool:
    """ "The gap", which only its own text can tell; "the Supplier" is somebody."""
    return len(own) == 2 and own[0].lower() == "the" and own[1].islower()


def plain_subject(text: str, written: Collection[str]) -> str:
    """The subject as it stands within a sentence; empty when it may be no plain noun phrase."""
    own = text.split()
    lowered = [word.lower() for word in own]
    if _BREAKS.search(text) or not _NO_SUBJECT.isdisjoint(lowered) or not _FINITE.isdisjoint(own):
        return ""
    if lowered[0] in FUNCTION_WORDS - {"a", "an", "the"} or _VERBAL.match(lowered[0]):
        return ""
    if lowered[-1] in FUNCTION_WORDS:  # "measures to contain ..."
        return ""
    if "other" in lowered[1:]:  # than what was said before: "the other party", "a notice in other words"
        return ""
    if any(_VERBAL.match(word) and word.endswith("ed") for word in lowered[2:]):
        return ""
    if any(word.isdigit() or not word[0].isalnum() for word in own):
        return ""
    content = [word for word in lowered if word not in FUNCTION_WORDS]
    if _is_one_common_noun(own):
        return ""
    if not content or (content[-1] in _GENERIC and len(content) == 1):
        return ""
    first = _first_word(own, written)
    return " ".join([first, *own[1:]]) if first else ""


def _first_word(own: Sequence[str], written: Collection[str]) -> str:
    """The first word as it is written within a sentence; empty when nothing tells."""
    first = own[0]
    if first.lower() in FUNCTION_WORDS or first.lower().split("-")[0] in written:
        return first.lower()
    if first in written or any(map(str.isupper, first[1:])) or (len(own) > 1 and own[1][0].isupper()):
        return first
    return ""


def is_alike(one: str, other: str) -> bool:
    """Whether two questions have half of their content words in common."""
    ours, theirs = _content(one), _content(other)
    return len(ours & theirs) * 2 >= min(len(ours), len(theirs))


def _content(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"\w+", text) if word.lower() not in FUNCTION_WORDS}


def is_referring(text: str) -> bool:
    """Whether it cannot be understood without what stood before it."""
    return bool(_REFERENCE.search(text))
