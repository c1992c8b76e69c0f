"""Who the parties are, and which words name one. Pure."""

import re
from collections.abc import Iterator

from digest.points import Kind, Point
from text.word_lists import words

# Nouns that a contract uses for whoever has signed it. Others are known by "(the "Broker")" behind a name.
ROLES = words(
    """party parties supplier suppliers vendor vendors provider providers licensor contractor contractors
    subcontractor seller processor customer customers client clients buyer purchaser licensee controller
    landlord lessor owner tenant tenants lessee renter employer employee employees worker lender bank borrower
    insurer insured policyholder company consultant agent broker distributor reseller franchisor franchisee
    guarantor trustee publisher author partner partners member members manager director directors recipient
    discloser user users subscriber carrier shipper sponsor institution investigator university student
    students operator host guest pledgor assignor assignee transferor transferee issuer holder"""
)
_SUFFIX = (
    r"(?:Limited|Ltd|LLC|L\.L\.C|LLP|LP|PLC|plc|Inc|Incorporated|Corp|Corporation|Company|Co|GmbH|AG|SE|SA|S\.A|SAS|SARL"
    r"|S\.r\.l|BV|B\.V|NV|N\.V|AB|ApS|A/S|Oy|Pty|KG|Trust|University|Bank)\b\.?"
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
_CLOSES = 80  # characters within which the bracket is shut
_REACH = 320  # characters from a name to what it is called


def parties(text: str) -> Iterator[Point]:
    """Tarnbeck Systems Limited, a company registered in England (the "Supplier")."""
    for found in _CALLED.finditer(text):
        first = _beginning(text, found.start())
        role = found["role"].strip()
        name = _COMPANY.search(text, first, found.start())
        if name is None and is_role(role):
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


def _is_party(name: str) -> bool:
    return not (_MEANS_ITSELF.search(name) or _OF_OTHERS.search(name))


def _beginning(text: str, end: int) -> int:
    """Where what leads to `end` begins: behind the number of its paragraph, or the party before."""
    reach = max(0, end - _REACH)
    begins = [found.end() for found in _BEGINS.finditer(text, reach, end)]
    return begins[-1] if begins else reach


def is_role(noun: str) -> bool:
    return noun.lower() in ROLES
