"""E-mail addresses in a text: as programs take them, and as people write them to keep programs away. Pure."""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_LOCAL = r"[\w.+%'-]{1,64}"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_AT = r"\s?[\[({<]\s?(?:at|@|ät|arroba)\s?[\])}>]\s?"  # put into brackets
_DOT = r"\s?[\[({<]\s?(?:dot|\.|punkt|punto|point)\s?[\])}>]\s?"
_USUAL = re.compile(
    rf"(?<![\w.+-]){_LOCAL}(?:@|{_AT})(?:{_LABEL}(?:\.|{_DOT}))+[^\W\d_]{{2,24}}(?![\w-])", re.IGNORECASE
)
# Beyond this a word beside "at" is rarely a part of an address.
_ENDING = r"(?:com|org|net|edu|gov|mil|int|info|biz|dev|app|eu|[a-z]{2})"
_SPACED = re.compile(
    rf"(?<![\w.+-])(?P<local>{_LOCAL})(?:\s@\s?|@\s)(?:{_LABEL}\s?\.\s?)+{_ENDING}(?![\w-])", re.IGNORECASE
)
_SPOKEN = re.compile(
    rf"(?<![\w.+-])(?P<local>[\w+-]{{1,64}}(?:(?:\.|\s+dot\s+)[\w+-]+){{0,3}})\s+(?:at|ät|arroba)\s+"
    rf"(?P<host>{_LABEL}(?:(?:\.|\s+(?:dot|punkt|punto)\s+){_LABEL}){{0,3}}?)"
    rf"\s+(?:dot|punkt|punto)\s+{_ENDING}(?![\w-])",
    re.IGNORECASE,
)
# "jane.doe at example.org": the name itself has the form of one, or a word before says that one follows.
_WORD_AT = re.compile(
    rf"(?<![\w.+-])(?P<local>[\w+-]{{1,64}}(?:\.[\w+-]+){{0,3}})\s+(?:at|ät)\s+(?:{_LABEL}\.)+{_ENDING}"
    r"(?![\w-])",
    re.IGNORECASE,
)
_FORMED = re.compile(r"[a-z][\w+-]*(?:[._]\w*[a-z]\w*|\d+)", re.IGNORECASE)
_ANNOUNCES = re.compile(
    r"\b(?:e-?mails?|mails?|mailto|contact|kontakt|courriel|correo|address|adresse|write\s+to|reach)\b"
    r"[^.!?\n]{0,16}$",
    re.IGNORECASE,
)
CUE = 48  # characters before an address in which a word may announce it
_WORDS = (
    "a an the this that these those it its us me you him her them here there see seen look looks "
    "find found visit available online meet held based arrive arrived is are was were be been not "
    "only or and every each one point"
)
_NO_NAMES = frozenset(_WORDS.split())


def email_addresses(text: str) -> Iterator[Span]:
    """Start and end of each; some may overlap."""
    yield from (match.span() for match in _USUAL.finditer(text))
    for form in (_SPACED, _SPOKEN, _WORD_AT):
        for match in form.finditer(text):
            names = {match["local"].lower(), (match.groupdict().get("host") or "").lower()}
            if names & _NO_NAMES or (form is _WORD_AT and not _is_told(text, match)):
                continue
            yield match.span()


def _is_told(text: str, match: re.Match[str]) -> bool:
    before = max(0, match.start() - CUE)
    return bool(_FORMED.fullmatch(match["local"]) or _ANNOUNCES.search(text, before, match.start()))
