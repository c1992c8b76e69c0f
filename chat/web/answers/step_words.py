"""What a line of the trace says, in the reader's language.

A step is kept as one English sentence (`answering.values.events.Step`), which programs read. Here are the
sentences that stages and tools make, with names for what they put into them: a line that was made from one is
taken apart by it and said anew, also one from years ago. What nobody knows, such as the words that were
searched for, is shown as it is.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext_noop

from localization.stored import Said, Value, said_of, told

TYPES = (  # of questions, as answering.question.intent.Intent labels them
    gettext_noop("Factual"),
    gettext_noop("Comparison"),
    gettext_noop("Explanation"),
    gettext_noop("Aggregation"),
    gettext_noop("Procedural"),
    gettext_noop("Clarification"),
    gettext_noop("Chitchat"),
    gettext_noop("Out of scope"),
    gettext_noop("Opinion"),
    gettext_noop("Temporal"),
)
WHOLE = (  # marked here, and translated as they are
    gettext_noop("Holds the passages found against the question"),
    gettext_noop("claims bound to quotes while writing"),
    gettext_noop("It stands alone"),
    gettext_noop("A kept answer; documents, models and settings are the same"),
    gettext_noop("The passages do not answer the question"),
    gettext_noop("sources found by code"),
    gettext_noop("asked for quotes"),
    gettext_noop("asked for quotes; there are none"),
    gettext_noop("the words in which documents usually state it"),
    gettext_noop("All of it not proven: the answer is not shown as one"),
    gettext_noop("Not counted"),
    gettext_noop(
        "Could not be asked, or did not answer in the form it was asked for; the check by code stands alone"
    ),
)
WITH_VALUES = (
    gettext_noop("{kind}, from its form"),
    gettext_noop("{kind}, from its words"),
    gettext_noop("{kind}, according to the model"),
    gettext_noop("{kind}, by default"),
    gettext_noop("Round {round} of at most {rounds}"),
    gettext_noop("Round {round} of at most {rounds}. Reading {tokens} tokens, about {seconds} s"),
    gettext_noop("Reading {tokens} tokens, about {seconds} s"),
    gettext_noop("{kept} of {all}"),
    gettext_noop("It took more than {seconds} seconds."),
    gettext_noop("The best {kept} of all searches"),
    gettext_noop("The best {kept} of all searches, by {server}"),
    gettext_noop("Sentences that matter least left out: about {before} tokens to {after}"),
    gettext_noop("Missing: {missing}"),
    gettext_noop("the beginning of clause {clause}"),
    gettext_noop("“{words}” in every passage"),
    gettext_noop("{located} of {quotes} quotes on the page"),
    gettext_noop("Did not answer within {seconds} seconds; the check by code stands alone"),
    gettext_noop("Left out: {why}"),
    gettext_noop("{one} and {other} differ"),
    gettext_noop("{one} and {other} differ; a sentence may rank them"),
    gettext_noop("{other} speaks of it, too"),
)
# What stands in place of a name: a type of question, any text (a name, what was searched for), or a number.
KIND, WHY = "kind", "why"
ANY = frozenset({"clause", "missing", "one", "other", "reader", "server", "why", "words"})
NUMBER = "[0-9][0-9,]*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A sentence with names in it; `plural` where it counts by {n}."""

    pattern: re.Pattern[str]
    message: str
    plural: str = ""

    def read(self, text: str) -> Said | None:
        """The text, taken apart; None where it was not made from this sentence."""
        if not (found := self.pattern.fullmatch(text)):
            return None
        values: Mapping[str, Value] = {name: _value(name, each) for name, each in found.groupdict().items()}
        plural = {"plural": self.plural} if self.plural else {}
        return Said({"message": self.message, **plural, "values": values})


def in_words(text: str) -> str:
    text = text.replace(" units of text", " tokens")
    return next((str(said) for form in _forms() if (said := form.read(text))), None) or told(text)


@cache
def _forms() -> list[Form]:
    """Those that have more words of their own come first: the others would match them, too."""
    whole = (Form(pattern=_pattern(message), message=message) for message in WITH_VALUES)
    counting = (
        Form(pattern=_pattern(english), message=words["message"], plural=words["plural"])
        for words in (said.words for said in _counted())
        for english in (words["message"], words["plural"])
    )
    return sorted([*whole, *counting], key=lambda form: -len(re.sub(r"\{\w+\}", "", form.message)))


def _counted() -> Iterator[Said]:
    yield said_of("{n} hit", "{n} hits", 0)
    yield said_of("{n} hit, {others} spelt differently", "{n} hits, {others} spelt differently", 0)
    yield said_of("{n} sentence", "{n} sentences", 0)
    yield said_of("{n} document", "{n} documents", 0)
    yield said_of("{n} character", "{n} characters", 0)
    yield said_of(
        "{n} passage, word for word, closest first", "{n} passages, word for word, closest first", 0
    )
    yield said_of(
        "{located} of {quotes} quotes on the page, {n} supports the claim",
        "{located} of {quotes} quotes on the page, {n} support the claim",
        0,
    )
    yield said_of("Reading {n} statement", "Reading {n} statements", 0)
    yield said_of(
        "One call of {reader} read {n} statement and found {supported} supported",
        "One call of {reader} read {n} statements and found {supported} supported",
        0,
    )
    yield said_of(
        "{calls} calls of {reader} read {n} statement and found {supported} supported",
        "{calls} calls of {reader} read {n} statements and found {supported} supported",
        0,
    )
    yield said_of(
        "{done} of {n} part read, about {tokens} tokens in all",
        "{done} of {n} parts read, about {tokens} tokens in all",
        0,
    )
    yield said_of(
        "{unproven} of {n} claim not proven: the answer is not shown as one",
        "{unproven} of {n} claims not proven: the answer is not shown as one",
        0,
    )
    yield said_of(
        "{n} link, picture or HTML element removed", "{n} links, pictures or HTML elements removed", 0
    )


def _pattern(message: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", message)
    names = [f"(?P<{name}>{_matches(name)})" for name in parts[1::2]]
    texts = [re.escape(part) for part in parts[0::2]]
    return re.compile("".join(map("".join, zip(texts, [*names, ""], strict=True))), re.DOTALL)


def _matches(name: str) -> str:
    if name == KIND:
        return "|".join(TYPES)
    return ".+" if name in ANY else NUMBER


def _value(name: str, text: str) -> Value:
    if name == KIND:
        return told(text)
    if name == WHY:
        return in_words(text)
    return text if name in ANY else int(text.replace(",", ""))
