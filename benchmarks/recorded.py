"""Entities and triples that were extracted elsewhere, as an Extraction of the chunk they came from."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.extraction.grounding import Text
from graph.values.extraction import ExtractedEntity, ExtractedRelation, Extraction
from graph.values.names import key, qualifier


def extraction(
    title: str, text: str, entities: Sequence[str], triples: Sequence[Sequence[str]]
) -> Extraction:
    """What was recorded, tied to the words of the chunk; triples that are not three words are left out.

    A name that the chunk doesn't hold as written is tied to the sentence with which it shares most.
    """
    anchor = Text(text)
    whole = [
        triple
        for triple in triples
        if len(triple) == 3 and all(isinstance(p, str) and key(p) for p in triple)
    ]
    names = dict.fromkeys([*entities, *(p for t in whole for p in (t[0], t[2]))])
    found = [_entity(name, anchor) for name in names if key(name)]
    base, what = qualifier(title)
    full = {key(base): title} if what else {}
    resolved = [_in_full(entity, full) for entity in found]
    return Extraction(
        entities=(*anchor.headings(), *resolved),
        relations=tuple(_relation(triple, anchor, full) for triple in whole),
    )


def _in_full(entity: ExtractedEntity, full: dict[str, str]) -> ExtractedEntity:
    return replace(entity, stands_for=full.get(key(entity.name), ""))


def _entity(name: str, anchor: Text) -> ExtractedEntity:
    match = re.search(re.escape(name), anchor.text, re.IGNORECASE)
    if match:
        start, end = match.span()
        span = anchor.sentence(start)
    else:
        span = _best(name, anchor)
        start, end = span
    return ExtractedEntity(name=name, types=(), description="", start=start, end=end, said=span)


def _best(words: str, anchor: Text) -> tuple[int, int]:
    """The sentence that holds most of the words; the first of several."""
    wanted = set(key(words).split())
    return max(
        anchor.spans,
        key=lambda span: len(wanted & set(key(anchor.text[slice(*span)]).split())),
        default=(0, 0),
    )


def _relation(triple: Sequence[str], anchor: Text, full: dict[str, str]) -> ExtractedRelation:
    source, said, target = triple
    start, end = _best(" ".join(triple), anchor)
    return ExtractedRelation(
        source=full.get(key(source), source),
        target=full.get(key(target), target),
        description=f"{source} {said} {target}",
        keywords=(said,),
        start=start,
        end=end,
    )
