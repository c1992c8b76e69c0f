"""Bibliographies: what a .bib file lists, and papers written as BibTeX and RIS."""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass

from bibtexparser import Library, parse_string, write_string
from bibtexparser.middlewares import LatexDecodingMiddleware
from bibtexparser.model import Block, Entry, Field
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from desks.research.arxiv_api.feed import ArxivPaper, last_name
from desks.research.arxiv_api.identifiers import ArxivId, arxiv_id, ids_within
from text.normal_forms.normal_form import fold

logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # it writes a line for each bad entry

LONGEST = 5_000_000  # characters of a file
MOST = 2_000  # entries
LONGEST_FIELD = 2_000  # characters of a field: LaTeX is slow to read, and abstracts say nothing here
READ = (
    "title",
    "eprint",
    "arxivid",
    "archiveprefix",
    "doi",
    "url",
    "journal",
    "note",
    "howpublished",
    "volume",
    "number",
)
_BEGINNING = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_SPECIAL = re.compile(r"([&%$#_])")
_PLAIN = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry of a bibliography; `id` is None where it names no paper at arXiv."""

    title: str
    id: ArxivId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A document that is cited: a paper, or any other document, which only has a name."""

    title: str
    paper: ArxivPaper | None = None


def read_bib(content: bytes) -> list[Listed]:
    """The entries in order, each once. Raises ValidationError for what is no bibliography."""
    text = content.decode("utf-8-sig", errors="replace").replace("\0", "")
    if len(text) > LONGEST:
        raise ValidationError(
            gettext("The file has more than {longest} MB.").format(longest=LONGEST // 1000000),
            code="bib_long",
        )
    too_many = ValidationError(
        gettext("The file has more than {most} entries. Divide it.").format(most=f"{MOST:,}"), code="bib_long"
    )
    if sum(1 for _ in _BEGINNING.finditer(text)) > 2 * MOST:  # comments and abbreviations counted in
        raise too_many
    library = parse_string(text)
    entries = [*library.entries, *_doubles(library)]
    if not entries:
        raise ValidationError(gettext("The file has no BibTeX entries. Nothing was imported."), code="no_bib")
    if len(entries) > MOST:
        raise too_many
    decoding = LatexDecodingMiddleware()
    return list(dict.fromkeys(_listed(_decoded(entry, decoding, library)) for entry in entries))


def _decoded(entry: Entry, decoding: LatexDecodingMiddleware, library: Library) -> Entry:
    """The fields that are read here, their LaTeX as plain text where it can be read."""
    fields = [
        Field(field.key, str(field.value)[:LONGEST_FIELD])
        for field in entry.fields
        if field.key.lower() in READ
    ]
    decoding.transform_entry(short := Entry(entry.entry_type, entry.key, fields), library)
    return short


def _doubles(library: Library) -> Iterable[Entry]:
    """Entries whose key another one has already: they may be other papers."""
    for block in library.failed_blocks:
        if isinstance(entry := getattr(block, "ignore_error_block", None), Entry):
            yield entry


def _listed(entry: Entry) -> Listed:
    fields = {name.lower(): str(field.value) for name, field in entry.fields_dict.items()}
    title = " ".join(fields.get("title", "").replace("{", "").replace("}", "").split())
    named = arxiv_id(fields.get("eprint", "")) or arxiv_id(fields.get("arxivid", ""))
    if fields.get("archiveprefix", "arxiv").lower() != "arxiv":
        named = None
    if named is None:
        rest = (
            fields.get(name, "")
            for name in ("doi", "url", "journal", "note", "howpublished", "volume", "number")
        )
        named = next((each for value in rest for each in _within(value)), None)
    return Listed(title=(title or entry.key)[:1000], id=named)


def _within(value: str) -> list[ArxivId]:
    if (link := arxiv_id(value)) and not re.fullmatch(r"[\d.v]+", value.strip()):
        return [link]
    return [each for each, _ in ids_within(value)]


# --- writing ---------------------------------------------------------------------------------------------
def as_bibtex(cited: Iterable[Cited]) -> str:
    """One entry each, by keys such as vaswani2017attention."""
    entries: list[Block] = []
    keys: set[str] = set()
    for each in cited:
        key = base = _key(each)
        while key in keys:
            key = f"{base}{chr(ord('a') + sum(other.startswith(base) for other in keys) - 1)}"
        keys.add(key)
        entries.append(_entry(each, key))
    return write_string(Library(entries)).strip() + "\n" if entries else ""


def _key(cited: Cited) -> str:
    word = next((w for w in re.findall(r"[a-z0-9]+", fold(cited.title)) if len(w) > 3), "document")
    if cited.paper is None:
        return word
    first = cited.paper.authors[0] if cited.paper.authors else ""
    name = re.sub(r"[^a-z]", "", fold(last_name(first))) or "anonymous"
    return f"{name}{cited.paper.year}{word}"


def _entry(cited: Cited, key: str) -> Entry:
    fields = [Field("title", f"{{{_escaped(cited.title)}}}")]
    paper = cited.paper
    if paper is None:
        return Entry("misc", key, fields)
    fields += [
        Field("author", " and ".join(_escaped(name) for name in paper.authors)),
        Field("year", paper.year),
        Field("eprint", str(paper.id)),
        Field("archivePrefix", "arXiv"),
    ]
    if paper.categories:
        fields.append(Field("primaryClass", paper.categories[0]))
    if paper.journal:
        fields.append(Field("journal", _escaped(paper.journal)))
    if paper.doi:
        fields.append(Field("doi", _escaped(paper.doi)))
    fields.append(Field("url", paper.link))
    return Entry("article" if paper.journal else "misc", key, fields)


def _escaped(text: str) -> str:
    """As LaTeX shows it: no sign of the text does anything."""
    plain = "".join(_PLAIN.get(sign, sign) for sign in text)
    return _SPECIAL.sub(r"\\\1", plain)


def as_ris(cited: Iterable[Cited]) -> str:
    """One record each, its lines ended as the format asks."""
    return "".join(f"{line}\r\n" for each in cited for line in _record(each))


def _record(cited: Cited) -> Iterable[str]:
    paper = cited.paper
    yield f"TY  - {'GEN' if paper is None else 'JOUR' if paper.journal else 'UNPB'}"
    yield f"TI  - {' '.join(cited.title.split())}"
    if paper is not None:
        yield from (f"AU  - {_inverted(name)}" for name in paper.authors)
        yield f"PY  - {paper.year}"
        yield f"DA  - {paper.published[:10].replace('-', '/')}"
        if paper.journal:
            yield f"JO  - {paper.journal}"
        if paper.doi:
            yield f"DO  - {paper.doi}"
        if paper.abstract:
            yield f"AB  - {paper.abstract}"
        yield f"AN  - arXiv:{paper.id}"
        yield f"UR  - {paper.link}"
    yield "ER  - "
    yield ""


def _inverted(name: str) -> str:
    last = last_name(name)
    first = name.removesuffix(last).strip()
    return f"{last}, {first}" if first else last
