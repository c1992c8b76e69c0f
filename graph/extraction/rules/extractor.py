"""The keyless extractor: names, terms, dates, amounts, references and codes by rule, related by sentence.

It knows capital letters, punctuation and word lists: given names, places, offices, nouns. English fares
best, names in any script with capitals are found, and what it says about two things is the sentence that
names both.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from graph.extraction.rules import words
from graph.extraction.rules.sentences import sentences
from graph.values.extraction import VALUES, ExtractedEntity, ExtractedRelation, Extraction
from graph.values.names import key, qualifier

MAX_IN_SENTENCE = 12  # things of one sentence that are related; more are a list or a table
ALL_PAIRS = 4  # up to so many names in a sentence, each is related to each
MAX_HEADING = 110
MAX_NAME = 90
MAX_KEYWORDS = 5


def _capitals() -> str:
    """Capital letters of all scripts that have them, as the inside of a character class."""
    ranges: list[list[int]] = []
    for point in range(sys.maxunicode + 1 if sys.maxunicode < 0x1E944 else 0x1E944):
        if unicodedata.category(chr(point)) in {"Lu", "Lt"}:
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    return "".join(f"{chr(a)}-{chr(b)}" if a != b else chr(a) for a, b in ranges)


_U = _capitals()
_CAP = rf"(?:(?:[{_U}]\.){{1,5}}(?:[{_U}]\b)?|[a-z]?[{_U}](?:[\w]|[-'’&](?=\w))*)"
_JOIN = (
    r"(?:of the|of|de la|de los|de|del|della|di|da|do|dos|du|des|la|le|von der|von|van der|van den|van|al"
    r"|bin|ibn|for the|for|at|upon)"
)
_GAP = r"(?: |\n(?!\s*\n))+"  # no tab: what follows one is another cell
_NAME = re.compile(
    rf"(?<![\w])(?:(?:1[0-9]|20)\d\d{_GAP}(?={_CAP}))?{_CAP}"
    rf"(?:(?:{_GAP}(?:{_JOIN}{_GAP})?|\s?&\s?|[-–/]){_CAP}|{_GAP}\d{{1,4}}(?![\w,.%]\d|\w|%|\s+(?:{words.UNITS})\b))*"
    rf"(?:{_GAP}\([^()\n]{{2,40}}\)(?=[\t\n\x1f]|$))?"
)
_S = r"[ \n]"  # within a value; a tab would join two cells of a table
_YEAR = r"(?:1\d|20)\d\d"
_DATES = "|".join(
    (
        rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?{_S}+)?(?:{words.MONTHS})\.?(?:{_S}+\d{{1,2}}(?:st|nd|rd|th)?)?,?{_S}+{_YEAR}\b",
        rf"\d{{1,2}}(?:st|nd|rd|th)?{_S}(?:{words.MONTHS})\b",
        rf"(?:{words.MONTHS}){_S}+\d{{1,2}}\b(?!\s*[,.]?\d)",
        rf"{_YEAR}-\d\d-\d\d\b|\d{{1,2}}[/.]\d{{1,2}}[/.]{_YEAR}\b",
        rf"(?:(?:first|second|third|fourth){_S}+quarter{_S}+of{_S}+(?:fiscal{_S}+)?|fiscal{_S}+(?:year{_S}+)?|Q[1-4]{_S}+)"
        rf"{_YEAR}\b",
        rf"(?<=\b[Ii]n ){_YEAR}\b(?!{_S}+[{_U}])",
    )
)
_AMOUNTS = (
    r"(?:US)?[$€£¥]\s?\d(?:[\d,]*\d)?(?:\.\d+)?(?:\s?(?:million|billion|trillion|thousand|bn|m|k)\b)?"
    rf"|\b\d[\d,]*(?:\.\d+)?{_S}?(?:(?:million|billion|trillion){_S}+)?"
    rf"(?:%|percent\b|per{_S}cent\b|USD\b|EUR\b|GBP\b|dollars\b|euros\b|pounds\b)"
)
_REFERENCES = (
    r"(?:\b(?:(?:Section|Clause|Article|Schedule|Exhibit|Item|Note|Figure|Table|Chapter|Rule|Part)s?|Appendix|Annex)"
    rf"{_S}+|§+{_S}?)(?:\d+[A-Z]?(?:\.\d+)*(?:\([a-z0-9]{{1,3}}\))*|[A-Z]\b|[IVX]+\b)"
)
_CODES = r"\b[A-Z]{2,8}(?:[-–/][A-Z]{1,6})*[-–/ ]?\d{1,7}(?:[-./:]\d+)*[A-Za-z]?\b|\b\d{1,4}-[KQ]\b"
_VALUE = re.compile(
    rf"(?P<DATE>\b(?:{_DATES}))|(?P<AMOUNT>{_AMOUNTS})|(?P<REFERENCE>{_REFERENCES})|(?P<CODE>{_CODES})"
)
_QUOTED = re.compile(rf"[“\"«„]((?:[{_U}0-9])[^“”\"«»„\n]{{1,70}}?)[,.]?[”\"»“]")
_CJK_QUOTED = re.compile(r"[「『《]([^「」『』《》\n]{2,40})[」』》]")
_DEFINITION = re.compile(
    r"^\s*(?:,\s*)?"
    r"(?:(?:shall\s+)?means?\b|shall have the meaning|has the meaning|refers to\b|is defined as\b)"
)
_PARENTHESISED = re.compile(
    r"\(\s*(?:the\s+|each,?\s+an?\s+|collectively,?\s+(?:the\s+)?|hereinafter\s+(?:the\s+)?)?$"
)
_ACRONYM = re.compile(rf"\s*\((?:the\s+)?[“\"]?([{_U}][{_U}0-9&.-]{{1,9}})s?[”\"]?\)")
_NUMBERED = re.compile(
    rf"(?m)^[ \t]*(?:Section|Clause|Article)?[ \t]*(\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})\.?[ \t]+"
    rf"(?=[{_U}][^\t\n]*$)"  # not the first cell of a row
)
_SECTION_WORDS = re.compile(r"^(?:Sections?|Clauses?|Articles?|§+)\s*", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_CAPITALISED = re.compile(rf"\b[{_U}][\w-]*")
_BULLETED = re.compile(
    r"(?:\s*(?:[-•▪●◦*–(]|\d{1,2}(?:\.\d{1,2}){1,3}(?=\s)|[a-z0-9ivx]{1,4}[.)]|[“\"«„]))*\s*"
)
_LABEL = re.compile(r"[A-Z]\d{0,2}\.?")  # “B4” before a question of a form
_PAGE_NUMBER = re.compile(r"\s*\b[Pp]ages? \d+(?: of \d+)?\b")
_TAB = re.compile(r"\t")
_EDGE = "\x1f"
_MONTHS = frozenset(words.MONTHS.lower().split("|"))
_BORN = re.compile(r",?\s*\(?(?:born|was born|\(born|née)")
_IN_OFFICE = re.compile(
    rf"\s*[,(]\s*(?:(?:the|an?|our|its|their)\s+)?(?:[a-z-]+\s+){{0,3}}(?:{words.OFFICES})\b", re.I
)
_LOOSE_ENDS = words.PRONOUNS | {"of", "for", "at", "the", "de", "and", "upon", "no", "no."}
_POSSESSIVE = re.compile(r"['’]s$")
_LOWER_WORD = re.compile(r"\b[a-zà-öø-ÿ]{3,}\b")


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    type: str
    defines: bool = False
    stands_for: str = ""


@dataclass(frozen=True, slots=True)
class _Document:
    """What the rules know of a whole document before they read its chunks.

    `small` and `capital` count words in small letters, and capitalised ones within a sentence: of a word that
    opens a sentence only they can tell whether it is a name.
    """

    headings: re.Pattern[str] | None = None
    small: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)
    passages: int = 1


class Rules:
    """Finds things by rule; some thousand chunks a second are its pace, and no model is asked."""

    name = "rules-3"

    def extract(self, title: str, chunks: Sequence[str]) -> list[Extraction]:
        """One Extraction per chunk, in order."""
        document = _read(chunks)
        found = [find(text, document) for text in chunks]
        full = _full_names(title, chunks, found)
        return [_said(title, text, things, full) for text, things in zip(chunks, found, strict=True)]


def _read(chunks: Sequence[str]) -> _Document:
    small, capital = Counter[str](), Counter[str]()
    for text in chunks:
        small.update(_LOWER_WORD.findall(text))
        starts = _starts(text)
        for match in _CAPITALISED.finditer(text):
            if match.start() not in starts:
                capital[match[0].lower()] += 1
    return _Document(_defined_names(chunks), small, capital, len(chunks))


def _starts(text: str) -> set[int]:
    """Where sentences, lines that are no mere wraps, and cells begin, behind their bullets and numbers."""
    begins = [*(start for start, _ in sentences(text)), *(tab.end() for tab in _TAB.finditer(text))]
    return {_BULLETED.match(text, start).end() for start in begins}  # type: ignore[union-attr]


# --- finding things --------------------------------------------------------------------------------------
def find(text: str, document: _Document | None = None) -> list[_Found]:
    """The things of one text, in order, none within another."""
    document = document or _read([text])
    heading = _heading(text)
    spans = [heading] if heading else []
    if document.headings:
        spans += [_Found(match.start(), match.end(), "") for match in document.headings.finditer(text)]
    spans += _values(text)
    spans += _sections(text)
    spans += _quoted(text)
    taken = _apart(spans)
    return _apart([*taken, *_names(text, taken, document)])


def _apart(spans: Sequence[_Found]) -> list[_Found]:
    """Without those that overlap an earlier one of the sequence."""
    out: list[_Found] = []
    for span in spans:
        if not any(span.start < other.end and other.start < span.end for other in out):
            out.append(span)
    return sorted(out, key=lambda found: found.start)


def _heading(text: str) -> _Found | None:
    """The first line, when it stands alone as a title does, and is no piece of wrapped prose."""
    line, newline, rest = text.partition("\n")
    body = line.strip()
    if not newline or not rest.strip() or not 2 <= len(body) <= MAX_HEADING or body[-1] in ".,;:-":
        return None
    if len(body) > 1.5 * len(rest.strip()) or not any(c.isalpha() for c in body) or _NUMBERED.match(line):
        return None
    if (
        "\t" in body
        or body[0].islower()
        or sum(c.isdigit() for c in body) > len(body) / 2
        or _PAGE_NUMBER.search(body)
    ):
        return None
    start = line.index(body)
    if rest.lstrip()[0].islower() and not rest.lstrip().startswith(body.split()[0]):
        return None
    if "\n" in rest.strip() and ((start, start + len(body)) not in sentences(text) or not _is_title(body)):
        return None
    return _Found(start, start + len(body), "", defines=True)


def _is_title(line: str) -> bool:
    """Whether a line reads as a heading: short, or mostly in capitals; and not broken off."""
    parts = [part for part in line.split() if part[0].isalpha()]
    if not parts or parts[-1].lower() in words.STOP:
        return False
    return len(parts) <= 5 or sum(part[0].isupper() for part in parts) > len(parts) / 2


def _values(text: str) -> Iterator[_Found]:
    for match in _VALUE.finditer(text):
        yield _Found(match.start(), match.end(), match.lastgroup or "")


def _sections(text: str) -> Iterator[_Found]:
    for match in _NUMBERED.finditer(text):
        yield _Found(match.start(1), match.end(1), "REFERENCE", defines=True)


def _quoted(text: str) -> Iterator[_Found]:
    for match in [*_QUOTED.finditer(text), *_CJK_QUOTED.finditer(text)]:
        inner = match[1].strip()
        if len(inner.split()) > 9 or not any(c.isalpha() for c in inner):
            continue
        start, end = match.start(1), match.start(1) + len(match[1].rstrip(" ,."))
        defined = bool(_DEFINITION.match(text[match.end() : match.end() + 40])) or bool(
            _PARENTHESISED.search(text[max(0, match.start() - 40) : match.start()])
        )
        yield _Found(start, end, "TERM" if defined else "WORK", defines=defined)


def _names(text: str, taken: Sequence[_Found], document: _Document) -> Iterator[_Found]:
    starts = _starts(text)
    parted = list(text)  # a name goes on behind a wrapped line, but not behind a heading or a table's row
    for start, _ in sentences(text):
        if start and parted[start - 1] == "\n":
            parted[start - 1] = _EDGE
    for match in _NAME.finditer("".join(parted)):
        end = match.end()
        if page := _PAGE_NUMBER.search(text, match.start(), end + 12):
            end = min(end, page.start())
        yield from _trimmed(text, match.start(), end, document, starts, taken)


def _trimmed(
    text: str, start: int, end: int, document: _Document, starts: set[int], taken: Sequence[_Found]
) -> Iterator[_Found]:
    """The names within a run of capitals: without opening function words, cut where a value stands."""
    for other in taken:
        if other.start < end and start < other.end:
            if other.start > start:
                yield from _trimmed(text, start, other.start, document, starts, ())
            if other.end < end:
                yield from _trimmed(text, other.end, end, document, starts, taken)
            return
    begin, opening = start, start in starts
    while start < end:
        while start < end and not text[start].isalnum():
            start += 1
        word = _first_word(text, start, end)
        if not word:
            return
        low = word.lower().rstrip(".")
        if low in words.KEPT_WITHIN and (start > begin or not opening):
            break
        is_label = opening and bool(_LABEL.fullmatch(word)) and end - start > len(word)
        if is_label or low in words.OPENING or low in words.PERSON_TITLES or low in words.WEEKDAYS:
            if low == "the" and not opening and text[start + len(word) : end].strip():
                break
            start += len(word)
            continue
        break
    name = _POSSESSIVE.sub("", text[start:end].rstrip(" \n\t&-–/'’"))
    while name and name.rsplit(None, 1)[-1].lower() in _LOOSE_ENDS:
        name = name.rsplit(None, 1)[0] if len(name.split()) > 1 else ""
    if _is_name(name, start in starts, document):
        yield _Found(start, start + len(name), "")


def _first_word(text: str, start: int, end: int) -> str:
    match = _WORD.match(text, start, end)
    return match.group() if match else ""


def _is_name(name: str, opening: bool, document: _Document) -> bool:
    if not 2 <= len(name) <= MAX_NAME or sum(c.isalpha() for c in name) < 2 or name.islower():
        return False
    parts = name.split()
    if len(parts) == 1:
        low = name.lower()
        if low in words.STOP or low in _MONTHS or low.split("-")[0].split("'")[0].split("’")[0] in words.STOP:
            return False
        if document.small[low] > document.capital[low]:
            return False
        is_new = document.passages > 1 and not document.capital[low]
        if opening and (is_new or low.endswith(("ly", "ing"))):
            return False
        if len(name) == 2 and not name.isupper():
            return False
    return not (len(parts) > 3 and name.isupper())  # a shouted sentence


def _defined_names(chunks: Sequence[str]) -> re.Pattern[str] | None:
    """A pattern for the names that headings define, wherever else this document writes them."""
    names: set[str] = set()
    for text in chunks:
        heading = _heading(text)
        if heading:
            names.add(qualifier(_clean(text[heading.start : heading.end]))[0])
    kept = sorted((name for name in names if 3 <= len(name) <= 60), key=lambda name: (-len(name), name))
    if not kept:
        return None
    return re.compile(
        r"(?<!\w)(?:" + "|".join(re.escape(n).replace(r"\ ", r"\s+") for n in kept) + r")(?!\w)"
    )


# --- knowing what they are -------------------------------------------------------------------------------
def _type(name: str, text: str, found: _Found) -> str:
    if found.type:
        return found.type
    parts = [part.strip(".,()").lower() for part in name.split()]
    if words.EVENT & set(parts):
        return "EVENT"
    if len(parts) > 1 and words.ORGANIZATION & set(parts) and parts[-1] not in words.DEEDS:
        return "ORGANIZATION"
    if _is_person(name, text, found):
        return "PERSON"
    if words.PLACE & set(parts) or " ".join(parts) in words.PLACES:
        return "LOCATION"
    if len(parts) == 1 and 2 <= len(name) <= 6 and name.isupper() and name.isalpha():
        return "ORGANIZATION"
    if found.defines and name != name.title() and len(parts) > 1:
        return "TOPIC"
    return "NAME"


def _is_person(name: str, text: str, found: _Found) -> bool:
    """A title before the name, a given name in it, or an office or a birth told of right after it."""
    parts = name.split()
    before = text[max(0, found.start - 12) : found.start].split()[-1:]
    if before and before[0].lower().rstrip(".") in words.PERSON_TITLES:
        return True
    if not 2 <= len(parts) <= 4 or any(not part[0].isalpha() or part.isupper() for part in parts[::3]):
        return False
    if parts[0].lower() in words.GIVEN_NAMES:
        return True
    after = text[found.end : found.end + 60]
    return bool(_BORN.match(after)) or (not found.defines and bool(_IN_OFFICE.match(after)))


def _full_names(title: str, chunks: Sequence[str], found: Sequence[Sequence[_Found]]) -> dict[str, str]:
    """Short forms of this document by key: defined terms, acronyms, and last words of one longer name."""
    short = _terms(title, chunks, found)
    long: dict[str, Counter[str]] = {}
    for text, things in zip(chunks, found, strict=True):
        for thing in things:
            name = _clean(text[thing.start : thing.end])
            if thing.type in VALUES or thing.type == "TERM":
                continue
            match = _ACRONYM.match(text, thing.end, thing.end + 24)
            if match and _abbreviates(match[1], name):
                short.setdefault(key(match[1]), name)
            base, what = qualifier(name)
            if what and thing.defines:
                short.setdefault(key(base), name)
                continue
            parts = name.split()
            if 2 <= len(parts) <= 4 and _type(name, text, thing) == "PERSON":
                long.setdefault(key(parts[-1]), Counter())[name] += 1
    for last, names in long.items():
        if len({key(name) for name in names}) == 1 and last not in short:
            short[last] = min(names, key=lambda name: (-names[name], name))
    return short


def _terms(title: str, chunks: Sequence[str], found: Sequence[Sequence[_Found]]) -> dict[str, str]:
    """What the document's defined terms stand for: the party before “(the "Supplier")”, else themselves."""
    short: dict[str, str] = {}
    for text, things in zip(chunks, found, strict=True):
        for start, end in sentences(text) if any(thing.type == "TERM" for thing in things) else ():
            parties: list[str] = []
            for thing in (thing for thing in things if start <= thing.start < end):
                name = _clean(text[thing.start : thing.end])
                if thing.type != "TERM":
                    parties += [name] if _type(name, text, thing) in ("ORGANIZATION", "PERSON") else []
                    continue
                bracketed = _PARENTHESISED.search(text[max(start, thing.start - 40) : thing.start - 1])
                is_party = (
                    bracketed and len(parties) == 1 and name.split()[-1].lower() not in words.NO_PARTIES
                )
                stands_for = parties[0] if is_party else _own(name, title)
                for form in (name, f"{name}s"):
                    short.setdefault(key(form), stands_for)
                parties = []
    return short


def _own(term: str, title: str) -> str:
    """A term of one document is not that of another."""
    return f"{term} ({title})" if title else term


def _abbreviates(acronym: str, name: str) -> bool:
    """The acronym's letters are initials of the name's words, in order, beginning with the first."""
    letters = [c for c in acronym.lower() if c.isalnum()]
    initials = [part[0].lower() for part in re.split(r"[\s\-/&]+", name) if part]
    if not letters or not initials or letters[0] != initials[0]:
        return False
    rest = iter(initials)
    return all(letter in rest for letter in letters) or (
        len(letters) <= 3 < len(name)
        and letters[1:] == [c for c in name.lower() if c in letters[1:]][: len(letters) - 1]
    )


def _clean(name: str) -> str:
    return " ".join(name.split())


# --- what is said about them -----------------------------------------------------------------------------
def _said(title: str, text: str, things: Sequence[_Found], full: dict[str, str]) -> Extraction:
    spans = sentences(text)
    entities: list[ExtractedEntity] = []
    relations: list[ExtractedRelation] = []
    topic: ExtractedEntity | None = None
    position = 0
    for number, (start, end) in enumerate(spans):
        here: list[ExtractedEntity] = []
        while position < len(things) and things[position].start < end:
            here.append(_entity(title, text, things[position], spans, number, full))
            position += 1
        entities += here
        defining = [entity for entity in here if entity.defines]
        if defining and defining[0].start == start and defining[0].end >= end - 1:
            topic = defining[0]
            continue
        subject = topic if topic and _speaks_of_topic(text[start:end]) else None
        relations += _relations(text, start, end, here, subject)
        if topic is None or (not topic.defines and not subject):
            topic = next((e for e in here if not VALUES & set(e.types)), topic)
    return Extraction(entities=tuple(entities), relations=tuple(relations))


def _entity(
    title: str, text: str, thing: _Found, spans: Sequence[tuple[int, int]], number: int, full: dict[str, str]
) -> ExtractedEntity:
    name = _clean(text[thing.start : thing.end])
    kind = _type(name, text, thing)
    stands_for = full.get(key(name), "") if kind not in VALUES else ""
    if kind == "REFERENCE":
        label = f"Section {_SECTION_WORDS.sub('', name)}" if _is_section(name, thing) else name
        stands_for = _own(label, title)
    elif stands_for in (_own(name, title), _own(name.removesuffix("s"), title)):
        kind = "TERM"
    elif stands_for:
        kind = _type(stands_for, "", _Found(0, 0, ""))
    start, end = spans[number]
    if thing.defines and end - start <= thing.end - thing.start + 1 and number + 1 < len(spans):
        end = spans[number + 1][1]
    return ExtractedEntity(
        name=name, types=(kind,), description=_clean(text[start:end]), said=(start, end),
        start=thing.start, end=thing.end,
        stands_for="" if key(stands_for or name) == key(name) else stands_for, defines=thing.defines,
    )  # fmt: skip


def _is_section(name: str, thing: _Found) -> bool:
    return thing.type == "REFERENCE" and bool(_SECTION_WORDS.match(name) or name[0].isdigit())


def _speaks_of_topic(sentence: str) -> bool:
    opening = sentence.split(None, 2)[:2]
    first = opening[0].lower() if opening else ""
    if first in words.PRONOUNS:
        return True
    return first == "the" and len(opening) > 1 and opening[1].lower().strip(",.") in words.NOUNS_FOR_THE_TOPIC


def _relations(
    text: str, start: int, end: int, here: Sequence[ExtractedEntity], subject: ExtractedEntity | None
) -> Iterator[ExtractedRelation]:
    seen: dict[str, ExtractedEntity] = {}
    for entity in [*([subject] if subject else []), *here]:
        seen.setdefault(key(entity.stands_for or entity.name), entity)
    things = list(seen.values())
    if not 2 <= len(things) <= MAX_IN_SENTENCE:
        return
    description = _clean(text[start:end])
    for a, b in _pairs(things):
        between = text[a.end : b.start] if start <= a.start and a.end < b.start else text[start : b.start]
        yield ExtractedRelation(
            source=a.stands_for or a.name, target=b.stands_for or b.name, description=description,
            keywords=_keywords(between), start=start, end=end,
        )  # fmt: skip


def _pairs(things: Sequence[ExtractedEntity]) -> Iterator[tuple[ExtractedEntity, ExtractedEntity]]:
    """Each name with each, in a long sentence with the first and the next two; values with one name."""
    named = [thing for thing in things if not VALUES & set(thing.types)]
    for (i, a), (j, b) in combinations(enumerate(named), 2):
        if len(named) <= ALL_PAIRS or i == 0 or j - i <= 2:
            yield a, b
    for position, thing in enumerate(things):
        if VALUES & set(thing.types):
            earlier = [other for other in things[:position] if other in named] or named[:1]
            if earlier:
                yield earlier[-1], thing


def _keywords(between: str) -> tuple[str, ...]:
    content = [word for word in _LOWER_WORD.findall(between.lower()) if word not in words.STOP]
    return tuple(dict.fromkeys(content[:MAX_KEYWORDS]))
