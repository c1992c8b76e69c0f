"""What the sentences of a passage say about the things that they name."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

from graph.extraction.rules import words
from graph.extraction.rules.mention_types import type_of
from graph.extraction.rules.mentions import Mention
from graph.extraction.rules.patterns import PERIOD, VALUE
from graph.extraction.rules.rows import Row, with_rows
from graph.extraction.rules.short_forms import folded_spaces, own_term
from graph.extraction.rules.verbs import said
from graph.values.extraction import VALUES, ExtractedEntity, ExtractedRelation, Extraction
from graph.values.names import key
from text.sentences import sentences

MAX_IN_SENTENCE = 12  # things of one sentence that are related; more are a list or a table
ALL_PAIRS = 4  # up to so many names in a sentence, each is related to each
_SECTION_WORDS = re.compile(r"^(?:Sections?|Clauses?|Articles?|§+)\s*", re.IGNORECASE)


def statements(
    title: str, text: str, things: Sequence[Mention], full: dict[str, str], rows: Sequence[Row] = ()
) -> Extraction:
    """The things with the sentences that name them, related where one sentence names several.

    A sentence that begins with “It” or “The company” also speaks of what the sentence before it is about. A
    row of a table is a sentence about what stands first in it, and says the rest by the names of its columns.
    """
    spans = with_rows(text, sentences(text), rows)
    row_at = {(row.start, row.end): row for row in rows}
    entities: list[ExtractedEntity] = []
    relations: list[ExtractedRelation] = []
    topic: ExtractedEntity | None = None
    describe = cache(lambda start, end: folded_spaces(text[start:end]))  # all things of a sentence share it
    position = 0
    for number, (start, end) in enumerate(spans):
        here: list[ExtractedEntity] = []
        while position < len(things) and things[position].start < end:
            here.append(_entity(title, text, things[position], spans, number, full, describe))
            position += 1
        entities += here
        if row := row_at.get((start, end)):
            relations += _relations_in_row(text, row, here)
            continue
        defining = [entity for entity in here if entity.defines]
        if defining and defining[0].start == start and defining[0].end >= end - 1:
            topic = defining[0]
            continue
        subject = topic if topic and _continues_topic(text[start:end]) else None
        relations += _relations(text, start, end, here, subject)
        if topic is None or (not topic.defines and not subject):
            topic = next((e for e in here if not VALUES & set(e.types)), topic)
    return Extraction(entities=tuple(entities), relations=tuple(relations))


def _entity(
    title: str,
    text: str,
    thing: Mention,
    spans: Sequence[tuple[int, int]],
    number: int,
    full: dict[str, str],
    describe: Callable[[int, int], str],
) -> ExtractedEntity:
    name = folded_spaces(text[thing.start : thing.end])
    kind = type_of(name, text, thing)
    stands_for = full.get(key(name), "") if kind not in VALUES else ""
    if kind == "REFERENCE":
        label = f"Section {_SECTION_WORDS.sub('', name)}" if _is_section(name, thing) else name
        stands_for = own_term(label, title)
    elif stands_for in (own_term(name, title), own_term(name.removesuffix("s"), title)):
        kind = "TERM"
    elif stands_for:
        kind = type_of(stands_for, "", Mention(0, 0))
    start, end = spans[number]
    if thing.defines and end - start <= thing.end - thing.start + 1 and number + 1 < len(spans):
        end = spans[number + 1][1]
    return ExtractedEntity(
        name=name,
        types=(kind,),
        description=describe(start, end),
        said=(start, end),
        start=thing.start,
        end=thing.end,
        stands_for="" if key(stands_for or name) == key(name) else stands_for,
        defines=thing.defines,
    )


def _is_section(name: str, thing: Mention) -> bool:
    return thing.type == "REFERENCE" and bool(_SECTION_WORDS.match(name) or name[0].isdigit())


def _continues_topic(sentence: str) -> bool:
    first, second = [*sentence.lower().split(None, 2)[:2], "", ""][:2]
    return first in words.PRONOUNS or (first == "the" and second.strip(",.") in words.NOUNS_FOR_THE_TOPIC)


def _relations(
    text: str, start: int, end: int, here: Sequence[ExtractedEntity], subject: ExtractedEntity | None
) -> Iterator[ExtractedRelation]:
    seen: dict[str, ExtractedEntity] = {}
    for entity in [*([subject] if subject else []), *here]:
        seen.setdefault(key(entity.stands_for or entity.name), entity)
    things = list(seen.values())
    if not 2 <= len(things) <= MAX_IN_SENTENCE:
        return
    description = folded_spaces(text[start:end])
    for a, b in _pairs(things):
        verb = "" if a is subject else said(text[start : a.start], text[a.end : b.start], text[b.end : end])
        yield ExtractedRelation(
            source=a.stands_for or a.name,
            target=b.stands_for or b.name,
            description=description,
            keywords=(verb,) if verb else (),
            start=start,
            end=end,
        )


def _relations_in_row(text: str, row: Row, here: Sequence[ExtractedEntity]) -> Iterator[ExtractedRelation]:
    """Of what stands first with each of the others, under the name of that one's column."""
    seen: dict[str, ExtractedEntity] = {}
    for entity in here:
        seen.setdefault(key(entity.stands_for or entity.name), entity)
    things = list(seen.values())
    if not 2 <= len(things) <= MAX_IN_SENTENCE or VALUES & set(things[0].types):
        return
    description = folded_spaces(text[row.start : row.end])
    subject, *others = things
    for other in others:
        column = _as_relation(row, subject, other)
        yield ExtractedRelation(
            source=subject.stands_for or subject.name,
            target=other.stands_for or other.name,
            description=description,
            keywords=(column,) if column else (),
            start=row.start,
            end=row.end,
        )


def _as_relation(row: Row, subject: ExtractedEntity, other: ExtractedEntity) -> str:
    """The name of the other one's column, unless it is that of the subject as well, or only tells a time: a
    figure may be of 2023, a name not.
    """
    column = row.column_of(other.start)
    if VALUES & set(other.types):
        return column
    if column == row.column_of(subject.start) or PERIOD.search(column):
        return ""
    return column if any(map(str.isalpha, VALUE.sub("", column))) else ""


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
