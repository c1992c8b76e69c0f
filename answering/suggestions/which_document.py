"""Of which document a question speaks that says “the agreement” or “the authors”, among several. Pure."""

import re
from collections.abc import Iterable

LONGEST_TITLE = 60  # characters of a title that a question may name

_ITSELF = (
    r"authors?|agreement|contract|lease|licen[cs]e|deed|amendment|addendum|paper|article|study|report|survey"
    r"|thesis|document|policy|procedure|standard|handbook|manual|guide|questionnaire|minutes|statement|plan"
    r"|proposal|filing|company|group|corporation|registrant|issuer|organi[sz]ation|project|part(?:y|ies)"
)
# Also what contracts call those who have signed them: "the Supplier".
_POINTS = re.compile(rf"\b[Tt]he (?:(?i:{_ITSELF})|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b(?!['’]s [A-Z])")
# Words that are parted by no space, as people write them in names of files alone.
_FILE_NAME = re.compile(r"__|[^\W_]_[^\W_]|\.[A-Za-z]{3,4}$|^(?=.*\d)\S{12,}$|^[^\s-]+(?:-[^\s-]+){2,}$")
_TERM = re.compile(r"“([^”]+)”")


def told_apart(question: str, title: str, others: Iterable[str]) -> str:
    """The question, with the document's title where what it points at may be of one of the others as well;
    empty where the title is too long to be said, or a file's name. others: their texts.
    """
    pointed = {found[0].lower() for found in _POINTS.finditer(question)}
    if "the authors" in pointed:
        is_of_others = any(others)  # each text has some, be they named or not
    else:
        is_of_others = any(_may_mean(text, pointed, _TERM.findall(question)) for text in others)
    if not is_of_others or title.lower() in question.lower():
        return question
    may_be_said = len(title) <= LONGEST_TITLE and not _FILE_NAME.search(title)
    return f"{question.rstrip('?')}, according to “{title}”?" if may_be_said else ""


def _may_mean(text: str, pointed: Iterable[str], terms: Iterable[str]) -> bool:
    """Whether a text has one of the phrases, or defines one of the terms as well."""
    lower = text.lower()
    return any(phrase in lower for phrase in pointed) or any(
        f"{mark}{term.lower()}" in lower for term in terms for mark in "\"“‘'"
    )
