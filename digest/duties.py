"""Who must, must not and may do what, as the modal verbs of contracts say. Pure."""

import re
from collections.abc import Collection, Iterator

from django.utils.translation import gettext_noop

from digest.parties import is_role
from digest.points import Kind, Point, Stance
from text.word_lists import phrases

_STANCES = {
    Stance.MUST_NOT: phrases(
        """shall not, must not, may not, will not, cannot, is not entitled to, are not entitled to, agrees
        not to, undertakes not to, shall not be entitled to"""
    ),
    Stance.MAY: phrases(
        """may, is entitled to, are entitled to, shall be entitled to, will be entitled to, has the right to,
        have the right to, shall have the right to, is permitted to"""
    ),
    Stance.MUST: phrases(
        """shall, must, will, agrees to, agree to, undertakes to, undertake to, is required to, are required
        to, is obliged to, are obliged to, is responsible for, are responsible for, has to, have to,
        warrants that, represents that, covenants to"""
    ),
}
_STANCE_OF = {modal: stance for stance, modals in _STANCES.items() for modal in modals}
_MODAL = "|".join(
    re.escape(modal).replace(r"\ ", r"\s+") for modal in sorted(_STANCE_OF, key=len, reverse=True)
)
_DUTY = re.compile(
    r"(?<![\w’'\"“&-])(?:(?P<which>The|An?|Each|Either|Any|No|Neither|All|Both|Such)\s+)?"
    r"(?P<subject>[A-Z][\w&-]*(?:\s+(?:of\s+)?(?!(?:who|which)\b)[A-Z][\w&-]*){0,5}|part(?:y|ies)|it|they)"
    # "A Shareholder who wishes to sell shall ..."
    r"(?:\s+(?:who|which)\s+[^.;:,]{3,120}?)?"
    rf"\s+(?:(?:also|then|always|promptly|further|hereby|each|both)\s+)?(?P<modal>{_MODAL})\b",
    re.IGNORECASE,
)
# "It may have lost" and "prices may be higher" say what is possible; "shall have no obligation" and "will be
# deemed to" oblige nobody.
_NO_DUTY = re.compile(
    r"may(?:\s+not)?\s+(?:(?:also|still|well)\s+)?(?:have|be)\b"
    r"|(?:shall|will)\s+(?:have\s+no\b|be\s+(?:deemed|under\s+no)\b)",
    re.IGNORECASE,
)
# "The Supplier's liability to the Client shall not exceed ...": it is no Client that must not.
_OF_ANOTHER = re.compile(
    r"\b(?:liability|liabilities|sums?|amounts?|charges|obligations?|duty|duties|rights?|payments?|notices?|claims?)\s+"
    r"(?:\w+\s+){0,3}?(?:to|of|by|from|against|for)\s+(?:the\s+|each\s+|either\s+|any\s+)?$",
    re.IGNORECASE,
)
BEFORE_SUBJECT = 60  # characters
EACH, BEFORE = gettext_noop("Each party"), gettext_noop("Named in the sentence before")
UNNAMED = (EACH, BEFORE)  # parties without a name of their own, which pages translate
_NOUN = re.compile(r"(?<!\w)([A-Z]\w+)(?![’']s\b)")
_CAPITAL = re.compile(r"[A-Z]")
_NONE = frozenset({"no", "neither"})


def duties(text: str, first: int, last: int, names: Collection[str]) -> Iterator[Point]:
    """In the statement text[first:last]. names: how the document calls its parties, in lower case."""
    seen: set[tuple[str, Stance]] = set()
    for found in _DUTY.finditer(text, first, last):
        subject = " ".join(found["subject"].split())
        noun = found.end("subject") - len(subject.split()[-1])
        if _OF_ANOTHER.search(text, max(first, noun - BEFORE_SUBJECT), noun):
            continue
        party = _one_of_several(subject, names) or _party(subject, names)
        if party == BEFORE:
            party = _named_once(text[first : found.start()], names) or BEFORE
        if not party or _NO_DUTY.match(text, found.start("modal")):
            continue
        stance = _STANCE_OF[" ".join(found["modal"].lower().split())]
        if (found["which"] or "").lower() in _NONE and stance != Stance.MUST_NOT:
            stance = Stance.MUST_NOT
        if (party, stance) in seen:
            continue
        seen.add((party, stance))
        yield Point(
            kind=Kind.DUTY,
            label=str(stance),
            first=first,
            last=last,
            start=found.start("modal"),
            end=found.end("modal"),
            party=party,
            stance=stance,
        )


def _named_once(text: str, names: Collection[str]) -> str:
    """The party that "it" stands for: the only one that is named before; empty where none or several are."""
    named = {found[1] for found in _NOUN.finditer(text) if found[1].lower() in names or is_role(found[1])}
    return named.pop() if len(named) == 1 else ""


def _one_of_several(subject: str, names: Collection[str]) -> str:
    """“Dr Lee nor Mr Hill”, if both are parties, as “Dr Lee, Mr Hill”."""
    several = re.split(r"\s+(?:nor|and|or)\s+", subject)
    return ", ".join(several) if len(several) > 1 and all(each.lower() in names for each in several) else ""


def _party(subject: str, names: Collection[str]) -> str:
    """How the party is called; empty for a subject that is none, such as "The Services"."""
    if subject.lower() in names:
        return subject
    noun = subject.split()[-1]
    if noun.lower() in ("party", "parties"):
        return EACH
    if noun.lower() in ("it", "they"):
        return BEFORE
    return noun if _CAPITAL.match(noun) and is_role(noun) else ""
