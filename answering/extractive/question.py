"""The question that a conversation ends with: what is searched for, and its parts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answering.extractive.named_documents import sources_in, without_sources
from answering.extractive.words import is_proper, names, owners, stems, times
from english.closed_classes import (
    AUXILIARIES,
    DEMONSTRATIVES,
    PREPOSITIONS,
    QUESTION_WORDS,
    THIRD_PERSON,
    one_of,
)
from english.periods import Periods, times_in, without_times
from text.language import is_english
from text.word_lists import words

FEW_WORDS = 2  # a question with no more content words leans on the one before it

_AND = re.compile(
    r"[,;]?\s+and\s+(?=(?:(?:for|to|in|by|from|at|on|with|under|of|until|since)\s+)?"
    rf"{one_of(QUESTION_WORDS)}\b|(?:did|do|does|is|are|was|were|has|have|can|may)\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(rf"\b{one_of(THIRD_PERSON, DEMONSTRATIVES)}\b", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:it|they|them)\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\b(?:is|are|was|were) (?P<subject>(?:the|an?|our|my) [\w’' -]+)\W*$", re.IGNORECASE)
# "And the premium?": the question before it, asked of something else.
_INSTEAD = re.compile(
    r"\W*(?:and|or|what about|how about)\s+(?P<subject>(?:the|an?|our|my) "
    r"(?:(?!(?:of|for|in|to|by|on|at|under|with|one|others?|same|next|former|latter)\b)[\w’'-]+ ?){1,3})\W*$",
    re.IGNORECASE,
)
# What has a value of its own: asked for, it is no other subject of what was asked before.
_OWN_VALUE = words(
    """address amount bonus budget cap charge commission compensation cost damages date deadline deposit
    discount duration excess fee fees fine interest law length limit name notice payment penalty percentage
    period premium price quorum rate rent retainer royalty salary surcharge tariff tax term threshold title
    total turnover value wage weight"""
)
# "How much notice must the tenants give": what is asked, of whom, and the rest.
_DOING = re.compile(
    rf"^(?P<asks>.{{3,60}}?\b{one_of(AUXILIARIES)}\s+)"
    r"(?P<subject>(?:(?:the|an?|our|my|your)\s+)?(?!(?:the|an?|our|my|your|it|they|we|you|i|there)\b)[\w’'-]+)"
    r"(?P<rest>\s+[\w’'-].*?)\W*$",
    re.IGNORECASE,
)
# "... and how much the landlord?": the same of somebody else.
_OF_ANOTHER = re.compile(
    r"\W*(?:and\s+)?(?:what|how (?:much|many|long|soon|often)|when)\s+"
    r"(?P<subject>(?:the|our|my|an?)\s+[\w’'-]+)\W*$",
    re.IGNORECASE,
)
# "What is the limit of indemnity and the premium?" are two questions.
_TWO_NOUNS = re.compile(
    r"^(?P<asks>(?:what|how (?:much|high|long|large)|when|who|where) (?:is|are|was|were) )"
    r"(?P<one>(?:the|our|my) (?:(?!(?:between|both|and|same)\b)[\w’'-]+ ?){1,4}?),? and "
    r"(?P<other>(?:the|our|my|its) (?:(?!(?:between|both|and|same)\b)[\w’'-]+ ?){1,3})\W*$",
    re.IGNORECASE,
)
# All of it together is asked for, and each part of it answers.
_IN_TOTAL = re.compile(
    r",?\s+(?:(?:in total|in all|altogether|all together|all told|taken together)\b|overall(?=\W*$))",
    re.IGNORECASE,
)
# "And the charge for shoes?"
_VALUE_OF = re.compile(
    r"\W*(?:and|or|what about|how about)\s+(?P<subject>the (?:[a-z’'-]+ ){0,2}?(?P<noun>[a-z’'-]+)"
    r" (?:of|for|on) [a-z’' -]{3,60}?)\W*$",
    re.IGNORECASE,
)
_WHOSE = re.compile(r" (?:of|for|in|under) (?P<name>[\w’' -]+)$", re.IGNORECASE)
_ANOTHER = re.compile(
    r"\b(?:others?|another|else|more|next|same|former|latter|there|then|again|previous|above|ones?)\b",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\b(?:others?|another|else|more|next|further)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:compar\w*|differ\w*|chang\w*|versus|vs|both|before|old|new|previous\w*|original\w*|amend\w*|still|now)\b",
    re.IGNORECASE,
)
_BROAD = re.compile(
    r"\bover (?:time|the (?:last|past|years|quarters))\b|\btrends?\b"
    r"|\bfactors?\b|\bdrivers?\b|\baffect\w*|\bimpact\w*"
    r"|\brelat(?:e|ion)\w*|\bsummar\w+|\bdescribe\b|\bexplain\b|\boverview\b|\banaly[sz]e\b|\bexamine\b"
    r"|\bimplications?\b|\bsuggests?\b|\bindicates?\b|\broles?\b|\bbreakdown\b|\bcontribut\w+|\bcorrelat\w+"
    r"|\bsignificant\b|\bmajor\b|\b(?:risks|changes|details|developments|initiatives)\b",
    re.IGNORECASE,
)
_FOLLOWS_UP = re.compile(
    r"\W*(?:and|or|but|also|then|what about|how about|same|in|for|at|on|during|since|before|after)\b",
    re.IGNORECASE,
)
# "And for how long must ...", "But who pays the ...": a verb of its own. "And how many in Spain?" has none.
_VERB = one_of(AUXILIARIES)
_PREPOSITION = one_of(PREPOSITIONS, words("until since during after before"))
_CLAUSE = re.compile(
    r"\W*(?:(?:and|or|but|also|then)\b\W*)*"
    rf"(?:{_VERB}\s+\w|(?:{_PREPOSITION}\s+)?{one_of(QUESTION_WORDS)}\b.*\b{_VERB}\b"
    rf"|who\s+(?!{_PREPOSITION}\b|else\b)\w+\s+\w)",
    re.IGNORECASE,
)
_IN_THE_PAST = re.compile(r"\b(?:was|were|did|had)\b", re.IGNORECASE)


def _leans(asked: str) -> bool:
    """Whether it says too little to stand alone: "and in 2022?", "why?", "when does it end?"."""
    few = stems(asked)
    follows_up = _FOLLOWS_UP.match(asked) or _PRONOUN.search(asked)
    return not few or (len(few) <= FEW_WORDS and bool(follows_up) and not _is_whole(asked))


def _is_whole(asked: str) -> bool:
    """Whether a question that only begins like a follow-up says all by itself: "And what is the cap on
    liability?". Words for a time are no subject: "and what was it in 2022?".
    """
    if _PRONOUN.search(asked) or _ANOTHER.search(asked) or not _CLAUSE.match(asked):
        return False
    return len(set(stems(asked)) - set(times(asked))) >= FEW_WORDS


def _going_on(asked: str, earlier: str) -> str:
    """A whole follow-up with whose matters the conversation is about, where it names nobody: "What was Acme's
    revenue in 2023?", "And what was the operating margin?". What is so in general has no time.
    """
    is_past = bool(_IN_THE_PAST.search(asked))
    if not _FOLLOWS_UP.match(asked) or not (owners(earlier) or (is_past and times_in(earlier))):
        return asked
    before = earlier if is_past else _without_all_times(earlier)
    said = _with_unsaid(asked.rstrip(" ?"), before)
    return said if said != asked.rstrip(" ?") else asked


def _without_all_times(text: str) -> str:
    return without_times(text, Periods.of(text))


def _says_enough(part: str) -> bool:
    """Whether a question within a question can be asked by itself: it names somebody, or has words enough."""
    return len(stems(part)) >= FEW_WORDS or any(map(is_proper, names(part)))


def _says_something(part: str) -> bool:
    """The same, or it is about what was asked before: "how do I install it?", "what notice is due?"."""
    return bool(stems(part))


def stands_alone(asked: str) -> bool:
    """Whether an English question plainly needs nothing that was said before: it names what it is about."""
    points_back = _PRONOUN.search(asked) or _FOLLOWS_UP.match(asked) or _ANOTHER.search(asked)
    return is_english(asked) and not points_back and not _leans(asked) and bool(names(asked))


def _without_replaced(earlier: str, asked: str) -> str:
    """The earlier question without its times where the new one names others, and so with its only name, also
    where the new one asks for another.
    """
    earlier = without_times(earlier, Periods.of(asked))
    before, now = (list(filter(is_proper, names(text))) for text in (earlier, asked))
    if (now or _ELSE.search(asked)) and len(before) == 1:
        earlier = re.sub(rf"\b{re.escape(before[0])}(?:['’]s)?", "", earlier)
    return " ".join(earlier.split())


def _with_unsaid(asked: str, before: str) -> str:
    """A question with whom the questions before it in the same sentence ask about, and when, where it names
    nobody and no time itself: "What was Acme's revenue in 2023, and what was the profit?".

    Roles are left out: "the Supplier" stands for nobody else's question.
    """
    told = [name for name in names(before) if not re.search(rf"\b[Tt]he {re.escape(name)}\b", before)]
    unsaid = [] if any(map(is_proper, names(asked))) else [name for name in told if is_proper(name)]
    if not times_in(asked):
        unsaid += times_in(before)
    return " ".join(dict.fromkeys([asked, *unsaid]))


def _with_subject(part: str, before: str) -> str:
    """“When is it returned?” behind “What is the deposit” with what it speaks of; empty without such."""
    found, points = _SUBJECT.search(before), _POINTS.findall(part)
    return _POINTS.sub(found["subject"], part) if found and len(points) == 1 else ""


def without_total(question: str) -> str:
    """The question without "in total": no document need say so."""
    return _IN_TOTAL.sub("", question)


def _of_another_subject(asked: str, earlier: str) -> str:
    """A question that names another subject alone, written out; empty where it is no such question.

    “And the deposit?” behind “How much is the rent of Flat 14b?” is asked as that was: what the earlier
    subject is of stays if it has a name, which "the limit of indemnity" has not. What has a value of its own
    ("and the address?", "the value of the bond") is asked what it is. Where only who does something is
    another one (“and the tenants?”), it is asked that of them.
    """
    before, now = _SUBJECT.search(earlier), _INSTEAD.match(asked)
    of = _VALUE_OF.match(asked)
    if of and of["noun"].lower() in _OWN_VALUE and of["subject"].islower():
        return f"What is {of['subject']}?"
    if not now:
        return ""
    if not before:
        subject = now["subject"].strip()
        if subject.split()[-1].lower() in _OWN_VALUE:
            return f"What is {subject}?"
        return _done_by(subject, earlier)
    whose = _WHOSE.search(before["subject"])
    of_whom = whose[0] if whose and re.search(r"[A-Z\d]", whose["name"]) else ""
    return f"{earlier[: before.start('subject')]}{now['subject'].strip()}{of_whom}?"


def _done_by(subject: str, earlier: str) -> str:
    """“How much notice must the tenants give?” asked of the landlord; empty where it says no such subject."""
    found = _DOING.match(earlier)
    return f"{found['asks']}{subject}{found['rest']}?" if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` is what is searched for; `asked` is the part that says which kind of answer is wanted."""

    text: str
    asked: str

    @classmethod
    def of(cls, asked: str, earlier: str) -> "Question":
        """A question that leans on the one before it borrows its words: "and when does it end?"."""
        asked = without_total(asked)
        if not earlier:
            return cls(text=asked, asked=asked)
        if instead := _of_another_subject(asked, earlier):
            return cls(text=instead, asked=instead)
        if _leans(asked):
            return cls(text=f"{_without_replaced(earlier, asked)} {asked}", asked=asked)
        return cls(text=_going_on(asked, earlier), asked=asked)

    @classmethod
    def last_of(cls, asked: Sequence[str]) -> "Question":
        """The last of a conversation's questions, each of which may lean on the one before it."""
        question = cls(text="", asked="")
        for one in asked:
            question = cls.of(one, question.text)
        return question

    @property
    def own_words(self) -> tuple[str, ...]:
        """The words of its own that a question has which leans on the one before it, but names and times: of
        “Who signs it?” that of signing. Empty for other questions, and where all is borrowed: “and in 2022?”.
        """
        if self.text == self.asked or not self.text.endswith(f" {self.asked}"):
            return ()
        named = {one for name in names(self.asked) for one in stems(name)}
        own = stems(_ANOTHER.sub("", self.asked))
        return tuple(one for one in own if one not in named and one not in times(self.asked))

    @property
    def compares(self) -> bool:
        """Whether it asks for what two documents, or two times, say."""
        return bool(_COMPARES.search(self.asked))

    @property
    def wants_another(self) -> bool:
        """Whether it asks for something else than was answered before: "and the other one?"."""
        return bool(_ELSE.search(self.asked)) and self.text != self.asked

    @property
    def is_broad(self) -> bool:
        """Whether no one sentence can be expected to answer it."""
        return bool(_BROAD.search(self.asked))

    @property
    def parts(self) -> "list[Question]":
        """The questions within the question, when there are several that stand alone."""
        if two := _TWO_NOUNS.match(self.text):
            each = [f"{two['asks']}{two[noun].strip()}?" for noun in ("one", "other")]
            return [Question(text=one, asked=one) for one in each]
        asked = [part.strip() for part in _AND.split(self.text)]
        stands = _says_enough(asked[0]) or _SUBJECT.search(asked[0])
        if len(asked) < 2 or not stands or not all(map(_says_something, asked)):
            return []
        found: list[Question] = []
        for part in asked:
            before = [question.text for question in found]
            another = _OF_ANOTHER.match(part)
            if found and another and (same := _done_by(another["subject"], before[0])):
                found.append(Question(text=same, asked=same))
            elif found and _says_enough(part) and len(stems(without_sources(part))) < FEW_WORDS:
                found.append(found[-1].of_another_source(part))
            elif found and not _says_enough(part) and (source := sources_in(" ".join(before))):
                found.append(Question(text=f"{part.rstrip(' ?')} {source}", asked=part))
            elif found and (named := _with_subject(part, before[0])):
                found.append(Question(text=named, asked=part))
            elif found and (_PRONOUN.search(part) or not _says_enough(part)):
                found.append(Question(text=self.text, asked=part))
            else:
                found.append(Question(text=_with_unsaid(part, " ".join(before)), asked=part))
        return found

    def of_another_source(self, asked: str) -> "Question":
        """This question put to another document, as "and what did the questionnaire promise?" does."""
        text, kind = without_sources(self.text), without_sources(self.asked)
        return Question(text=f"{text} {asked}", asked=f"{kind} {asked}")
