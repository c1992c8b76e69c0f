"""The numbers of papers at arXiv, as people, links and bibliographies write them."""

import re
from dataclasses import dataclass

_NUMBER = r"(?:\d{4}\.\d{4,5}|[a-z]{2,8}(?:-[a-z]{2,8})?(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?"
_ALONE = re.compile(rf"(?:arxiv:\s*)?({_NUMBER})(?:\s*\[[\w.-]+\])?", re.IGNORECASE)
_LINK = re.compile(
    rf"(?:https?://)?(?:[\w-]+\.)*(?:arxiv\.org/(?:abs|pdf|html|format|e-print|src|ps)/|"
    rf"doi\.org/10\.48550/arxiv\.)({_NUMBER})(?:\.pdf)?(?:[?#]\S*)?/?",
    re.IGNORECASE,
)
_DOI = re.compile(rf"(?:doi:\s*)?10\.48550/arxiv\.({_NUMBER})", re.IGNORECASE)
# Within running text a bare 1706.03762 could be anything, so the word arXiv has to stand before it.
_WITHIN = re.compile(rf"arxiv(?:\.org/(?:abs|pdf)/|\s*preprint\s+arxiv)?[:.\s]\s*({_NUMBER})", re.IGNORECASE)
_PATH = re.compile(rf"(?:arxiv\.org|corr,?\s+)\s?/?(?:abs|pdf|html)/({_NUMBER})", re.IGNORECASE)
_VERSION = re.compile(r"v(\d{1,3})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArxivId:
    """A paper, or one version of it; `version` 0 is the newest."""

    number: str
    version: int = 0

    def __str__(self) -> str:
        return f"{self.number}v{self.version}" if self.version else self.number


def arxiv_id(text: str) -> ArxivId | None:
    """The paper that the whole text names: a number, a link, or a DOI of arXiv's; None for anything else."""
    for pattern in (_ALONE, _LINK, _DOI):
        if match := pattern.fullmatch(text.strip()):
            return _parsed(match[1])
    return None


def only_ids(text: str) -> list[ArxivId]:
    """The papers of a text that has nothing but numbers and links, each once; empty for any other text."""
    words = text.replace(",", " ").replace(";", " ").split()
    ids = [arxiv_id(word) for word in words]
    return list(dict.fromkeys(each for each in ids if each)) if ids and all(ids) else []


def ids_within(text: str) -> list[tuple[ArxivId, int]]:
    """The papers that a running text names, each with its place."""
    matches = [*_WITHIN.finditer(text), *_PATH.finditer(text), *_DOI.finditer(text)]
    found: dict[ArxivId, int] = {}
    for match in sorted(matches, key=lambda match: match.start()):
        found.setdefault(_parsed(match[1]), match.start())
    return list(found.items())


def _parsed(written: str) -> ArxivId:
    version = _VERSION.search(written)
    number = written[: version.start()] if version else written
    archive, slash, rest = number.partition("/")
    # math.GT/0309136 is the paper math/0309136.
    number = f"{archive.partition('.')[0].lower()}/{rest}" if slash else number
    return ArxivId(number=number, version=int(version[1]) if version else 0)
