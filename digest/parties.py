"""Who the parties are, and which words name one. Pure."""

import re
from collections.abc import Iterator

from digest.points import Kind, Point
from english.companies import FORM_OR_COMPANY
from english.contracts.kinds import CHANGING, CONTRACTS
from english.contracts.roles import is_role
from text.word_lists import words

_SUFFIX = (
    rf"(?:{FORM_OR_COMPANY}|L\.L\.C|LP|S\.A|SAS|SARL|S\.r\.l|BV|B\.V|N\.V|AB|ApS|A/S|Oy|Pty|KG|Trust|University|Bank)"
    r"\b\.?"
)
_WORD = r"(?:[A-Z][\w&.’'-]*|\d{1,3})"
_COMPANY = re.compile(rf"(?<![\w’'-]){_WORD}(?:\s+(?:{_WORD}|and|of|&|the)){{0,7}}?,?\s+{_SUFFIX}")
_PERSON = re.compile(rf"(?<![\w’'-]){_WORD}(?:\s+{_WORD}){{1,4}}")
_CALLED = re.compile(
    r"\(\s{0,2}(?:hereinafter|hereafter)?,?\s{0,2}(?:referred to (?:herein )?as\s)?"
    r"(?:(?:together|collectively|jointly)\b[^()\"“]{0,60})?"
    r"(?:the|an?|each an?)?\s{0,2}"
    r"[\"“](?:the\s{1,2})?(?P<role>[A-Z][\w -]{1,40}?)[\"”]"
)
# "Landlord: Ann Lee of 8 The Close", and the row of a table: the whole line says who it is.
_LABELLED = re.compile(
    r"^[ \t]*(?:The[ ])?(?P<role>[A-Z][a-z]+)(?:[ ]?:|[ ]?\||\t)[ \t]*(?=[A-Z])(?P<told>[^\n]{3,200})$",
    re.MULTILINE,
)
_AND_ANOTHER = re.compile(r"\s+and\s+(?=[A-Z])")
# "(2) Dr Ann Lee of 11 Elm Hill (“Dr Lee”)": one of a list of parties.
_ONE_OF_LIST = re.compile(r"(?:^|\n)\s*\(?(?:[a-h]|\d{1,2}|[ivx]+)[.)]\s")
_BEGINS = re.compile(r"\((?:[a-z]|\d{1,2}|[ivx]+)\)\s|[\"”]\s*\)|\bbetween:?\s|\n\s*\n|(?<=[.;])\s")
_MEANS_ITSELF = re.compile(
    r"\b(?:The|the|Our|our) (?:Company|Bank|Trust|University|Corporation)$"
    r"|^(?:The|An?|Any|Each|Such|This)\s[\w’'-]+$"  # "The Participant"
)
# "To the Stockholders and the Board of Directors of Acme Corp", "the Quarterly Report of Acme Corp": what
# these words name is no party, whatever it is called.
_OF_OTHERS = re.compile(
    r"\b(?:(?:stock|share|security|note|unit)holders|directors|officers?|presidents?|employees|members|auditors?|subsidiaries"
    r"|reports?|statements?|prospectus|filings?|certificates?)\b.*\bof\b",
    re.IGNORECASE | re.DOTALL,
)
# What somebody does: "Acme Ltd shall pay the sums of Schedule 4 (the "Charges")" calls the sums so, not Acme.
_ACTS = re.compile(r"\b(?:shall|will|must|may|agrees?|undertakes?|pays?|provides?|grants?|owns?|sells?)\b")
_BEFORE_NAME = re.compile(r"[\s,;:.]*(?:(?:and|or|by)\b[\s,]*)*(?:between\b|among\b)?\s*(?:the\s)?\s*")
NUMBERED = 8  # characters of the number of a line
_THINGS = words("date property premises services shares period territory products site equipment fee price")
_CLOSES = 80  # characters within which the bracket is shut
_REACH = 320  # characters from a name to what it is called


def parties(text: str) -> Iterator[Point]:
    """Tarnbeck Systems Limited, a company registered in England (the "Supplier")."""
    for found in _CALLED.finditer(text):
        first = _beginning(text, found.start())
        role = found["role"].strip()
        if _is_thing(role):
            continue
        name = _COMPANY.search(text, first, found.start())
        if name is None and (is_role(role) or _is_one_of_list(text, first, role)):
            name = _PERSON.search(text, first, found.start())
        if name is not None and _is_party(name[0]) and not _ACTS.search(text, name.end(), found.start()):
            if _BEFORE_NAME.fullmatch(text, first, name.start()):
                first = name.start()
            yield Point(
                kind=Kind.PARTY,
                label=" ".join(name[0].split()),
                first=first,
                last=text.find(")", found.end(), found.end() + _CLOSES) + 1 or found.end(),
                start=name.start(),
                end=name.end(),
                about=role,
            )


def labelled_parties(text: str) -> Iterator[Point]:
    """Landlord: Ann Lee of 8 The Close."""
    for found in _LABELLED.finditer(text):
        if not is_role(found["role"]):
            continue
        start, end = found.span("told")
        while name := _COMPANY.match(text, start, end) or _PERSON.match(text, start, end):
            if not _is_party(name[0]) or _ACTS.search(text, name.end(), end):
                break
            following = _AND_ANOTHER.match(text, name.end(), end)
            start = following.end() if following else end
            yield Point(
                kind=Kind.PARTY,
                label=" ".join(name[0].split()),
                first=found.start("role"),
                last=end,
                start=name.start(),
                end=name.end(),
                about=found["role"],
            )


def _is_thing(role: str) -> bool:
    """Whether it names a document, a day or a place: "(the “Principal Agreement”)"."""
    return role.split()[-1].lower() in CONTRACTS | CHANGING | _THINGS


def _is_one_of_list(text: str, first: int, role: str) -> bool:
    """Whether a numbered line begins there, and calls somebody by a part of the name."""
    begins = _ONE_OF_LIST.search(text, max(0, first - NUMBERED), first + 1)
    name = _PERSON.search(text, first, first + _REACH)
    return bool(begins and name and role.split()[-1] in name[0].split())


def _is_party(name: str) -> bool:
    return not (_MEANS_ITSELF.search(name) or _OF_OTHERS.search(name))


def _beginning(text: str, end: int) -> int:
    """Where what leads to `end` begins: behind the number of its paragraph, or the party before."""
    reach = max(0, end - _REACH)
    begins = [found.end() for found in _BEGINS.finditer(text, reach, end)]
    return begins[-1] if begins else reach
