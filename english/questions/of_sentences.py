"""Questions that a sentence answers, made by rearranging it, and only if its grammar is simple."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from english.closed_classes import BE, MODALS, one_of
from english.contracts.defined_terms import MEANS
from english.dates import MONTH, YEAR
from english.lexicon import base_of_past
from english.quantities import UNIT_OF_TIME
from english.statements import BREAKS, LONGEST_SUBJECT, is_referring, plain_subject, without_number
from text.stems import stem
from text.word_lists import FUNCTION_WORDS, pairs, words

LONGEST = 260  # characters of a sentence that is turned around
SHORTEST = 3  # letters of the longest word of what is asked for

_MODALS = one_of(MODALS - {"would", "might", "could"})  # what only may be is no answer
_BE = one_of(BE)
_WORD = r"[\w’'&./-]+"
_SUBJECT = rf"(?P<subject>{_WORD}(?: {_WORD}){{0,{LONGEST_SUBJECT - 1}}}?)"
_STATEMENT = re.compile(rf"{_SUBJECT} (?P<verb>{_BE}|{_MODALS}) (?P<rest>.+)\.")
_NAMED = re.compile(r"(?:presents?|introduces?|proposes?|describes?) ([A-Z]\w*[A-Z]\w*),? an? ")
_MEANS = re.compile(
    rf"(?:the term )?[“\"‘']([^”\"’]{{3,60}})[”\"’'] {MEANS}",
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
    rf"{_SUBJECT} "
    r"(?P<verb>increased|decreased|grew|rose|fell|declined|dropped) (?P<rest>.+)\."
)
# What a thing holds or asks for: the verb as it is written, and after "does" or "must".
_CONTENTS = pairs(
    """includes include, contains contain, covers cover, addresses address, comprises comprise,
    specifies specify, requires require, describes describe"""
)
_CONTENTS |= {"consists of": "consist of", "depends on": "depend on", "applies to": "apply to"}
_CONTAINING = re.compile(
    rf"{_SUBJECT} (?:(?P<modal>{_MODALS}) )?"
    rf"(?P<verb>{'|'.join([*_CONTENTS, *_CONTENTS.values()])}) (?P<rest>.+)\."
)
_DETERMINED = re.compile(r"(?:an?|the|all|both|how|what|which|whether)\b")
_CAUSE = re.compile(
    r"(?:^|,? )(?:(?:primarily|mainly|largely|partly|chiefly|driven) )*"
    r"(?:because(?: of)?|due(?: primarily| mainly)? to|owing to|as a result of|driven(?: primarily)? by"
    r"|attributable to|reflecting)\b"
)
_SUBORDINATE = re.compile(
    r"\b(?:even (?:if|though)|although|though|whereas|while|unless|if|when|where|which|who|that|but|and)\b"
)
# Of what it is, is said nowhere: "the sequential increase".
_CHANGE = re.compile(
    r"(?:(?!of\b|in\b|for\b)[\w’'-]+ )*"
    r"(?:increase|decrease|change|decline|growth|improvement|reduction|rise|fall|drop|difference|variance)s?",
    re.IGNORECASE,
)
_CONDITION = re.compile(r",?(?<! as)(?<! even) (?:only )?(?:if|when) ")  # "as if" compares
_DATE = re.compile(rf" (?:on|in|by|from|until) (?:\d{{1,2}} )?(?:{MONTH}|{YEAR})\b.*")
_DEADLINE = re.compile(rf" (?:within|no later than|not later than) .*?\b{UNIT_OF_TIME}s?\b")
_AGENT = re.compile(r"(\w+ed) by (?:the |an? )?[A-Z][^,;]*")
_PARTICIPLE = re.compile(
    r"(?:\w+ly )?(?:\w+ed|made|held|given|built|found|born|paid|sent|known|written|begun|sold|set)\b"
)
# What is left over at the end once the answer has been cut off.
_LOOSE_END = re.compile(
    r",? (?:and|or|but|only|also|primarily|in any (?:event|case)|without undue delay|promptly|at least)$"
)
# What stands at a place on a page or in a row of things says nothing by itself.
_PLACES = words("top middle bottom left right upper lower first second third next last final previous")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceQuestion:
    """A question, what kind it is, and what it is about."""

    question: str
    kind: str  # "definition", "value", "reason", "condition", "date", "deadline", "payment", "change" ...
    subject: str


def sentence_to_questions(sentence: str, written: Collection[str]) -> Iterator[SentenceQuestion]:
    """Questions that the sentence answers. written: the document's words as it writes them within a sentence.

    The sentence has its white space folded.
    """
    sentence = without_number(sentence)
    if len(sentence) > LONGEST:
        return
    if term := _MEANS.match(sentence):
        yield SentenceQuestion(question=f"What does “{term[1]}” mean?", kind="definition", subject=term[1])
        return
    if name := _NAMED.search(sentence):
        yield SentenceQuestion(question=f"What is {name[1]}?", kind="value", subject=name[1])
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
        of = _of_being if found["verb"] in BE else _of_duty
        yield from of(subject, found["verb"], found["rest"])


def _of_change(subject: str, verb: str, rest: str) -> Iterator[SentenceQuestion]:
    base = base_of_past(verb)
    if cause := _CAUSE.search(rest):
        kept = re.sub(rf"^(?:by )?{_AMOUNT},?(?: or {_AMOUNT},?)?", "", rest[: cause.start()])
        yield from _asked(f"Why did {subject} {base} {kept}", "reason", subject)
    elif re.match(rf"(?:by )?{_AMOUNT}", rest):
        during = re.search(r" (?:during|in|for) the (?:\w+ ){1,4}(?:of (?:fiscal )?\d{4}|\d{4})", rest)
        yield from _asked(f"By how much did {subject} {base}{during[0] if during else ''}", "change", subject)


def _of_contents(subject: str, found: re.Match[str]) -> Iterator[SentenceQuestion]:
    """ "What must the policy include?" """
    modal, verb, rest = found["modal"], found["verb"], found["rest"]
    is_noun = verb.startswith("address") and not _DETERMINED.match(rest)  # "e-mail addresses"
    is_anybody = " " not in subject and subject.islower()  # "organizations include ..."
    if is_noun or is_anybody or rest.startswith("the following") or len(rest.split()) < SHORTEST:
        return
    base = _CONTENTS.get(verb, verb)
    asks = ("must" if modal == "shall" else modal) if modal else "do" if verb == base else "does"
    yield from _asked(f"What {asks} {subject} {base}", "contents", subject)


def _of_being(subject: str, verb: str, rest: str) -> Iterator[SentenceQuestion]:
    if cause := _CAUSE.search(rest):
        state = rest[: cause.start()]
        if _SUBORDINATE.search(state) or (not state and _CHANGE.fullmatch(subject)):
            return  # the cause is of another clause, or nobody knows what has changed
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


def _of_duty(subject: str, verb: str, rest: str) -> Iterator[SentenceQuestion]:
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


def _asked(text: str, kind: str, subject: str) -> Iterator[SentenceQuestion]:
    """The question, unless what is left of the sentence is no plain phrase."""
    text = " ".join(text.split()).rstrip(" .,;")
    while (shorter := _LOOSE_END.sub("", text)) != text:
        text = shorter
    own = text.partition(subject)[2]
    if not BREAKS.search(own) and not is_referring(own) and len(text) < 120:
        yield SentenceQuestion(question=f"{text}?", kind=kind, subject=subject)


def is_alike(one: str, other: str) -> bool:
    """Whether two questions have half of their content words in common."""
    ours, theirs = _content(one), _content(other)
    return len(ours & theirs) * 2 >= min(len(ours), len(theirs))


def _content(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"\w+", text) if word.lower() not in FUNCTION_WORDS}
