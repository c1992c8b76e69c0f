"""Entities and triples that were extracted elsewhere, as an Extraction of the chunk they came from."""

import re
from collections.abc import Sequence

from ingestion.graph.by_rule.rules import VALUES, find
from ingestion.graph.by_rule.sentences import sentences
from ingestion.graph.names import key, qualifier
from ingestion.graph.values import ExtractedEntity, ExtractedRelation, Extraction


def extraction(
    title: str, text: str, entities: Sequence[str], triples: Sequence[Sequence[str]]
) -> Extraction:
    """What was recorded, tied to the words of the chunk; triples that are not three words are left out.

    A name that the chunk doesn't hold as written is tied to the sentence with which it shares most.
    """
    spans = sentences(text)
    whole = [
        triple
        for triple in triples
        if len(triple) == 3 and all(isinstance(p, str) and key(p) for p in triple)
    ]
    names = dict.fromkeys([*entities, *(p for t in whole for p in (t[0], t[2]))])
    found = [_entity(name, text, spans) for name in names if key(name)]
    headings = [
        ExtractedEntity(
            name=text[thing.start : thing.end], types=(), description="", start=thing.start, end=thing.end,
            said=_sentence(thing.start, spans), defines=True,
        )
        for thing in find(text)
        if thing.defines and thing.type not in VALUES
    ]  # fmt: skip
    base, what = qualifier(title)
    full = {key(base): title} if what else {}
    resolved = [_in_full(entity, full) for entity in found]
    return Extraction(
        entities=(*headings, *resolved),
        relations=tuple(_relation(triple, text, spans, full) for triple in whole),
    )


def _in_full(entity: ExtractedEntity, full: dict[str, str]) -> ExtractedEntity:
    from dataclasses import replace

    return replace(entity, stands_for=full.get(key(entity.name), ""))


def _sentence(position: int, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return next((span for span in spans if span[0] <= position < span[1]), spans[0] if spans else (0, 0))


def _entity(name: str, text: str, spans: Sequence[tuple[int, int]]) -> ExtractedEntity:
    match = re.search(re.escape(name), text, re.IGNORECASE)
    if match:
        start, end = match.span()
        span = _sentence(start, spans)
    else:
        span = _best(name, text, spans)
        start, end = span
    return ExtractedEntity(name=name, types=(), description="", start=start, end=end, said=span)


def _best(words: str, text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The sentence that holds most of the words; the first of several."""
    wanted = set(key(words).split())
    return max(spans, key=lambda span: len(wanted & set(key(text[slice(*span)]).split())), default=(0, 0))


def _relation(
    triple: Sequence[str], text: str, spans: Sequence[tuple[int, int]], full: dict[str, str]
) -> ExtractedRelation:
    source, said, target = triple
    start, end = _best(" ".join(triple), text, spans)
    return ExtractedRelation(
        source=full.get(key(source), source), target=full.get(key(target), target),
        description=f"{source} {said} {target}", keywords=(said,), start=start, end=end,
    )  # fmt: skip
