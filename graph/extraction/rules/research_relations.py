"""What a sentence of a paper says of two things, as one of the relation types of research."""

import re
from collections.abc import Sequence
from dataclasses import replace

from english.closed_classes import NEGATIONS, one_of
from graph.values.extraction import ExtractedEntity, ExtractedRelation
from graph.values.ontology import PRESETS, Ontology

_TYPES = frozenset(PRESETS[Ontology.RESEARCH].entities)
_WORKS = frozenset({"METHOD", "ALGORITHM"})
_BE = r"(?:(?:is|are|was|were|has been|have been) )?(?:\w+ly )?"
_BY = r"(?:is|are|was|were) (?:\w+ly )?"
_CUES = (  # type, whether the second thing does it to the first, words
    ("IMPROVES", True, rf"{_BY}(?:outperformed|surpassed|beaten|exceeded|improved) by"),
    ("USES", True, rf"{_BY}(?:used|employed|leveraged|utili[sz]ed) (?:by|in)"),
    ("BASED_ON", True, rf"{_BY}(?:extended|generali[sz]ed) by"),
    ("IMPROVES", False, r"(?:outperform|surpass|beat|exceed)(?:s|ing|ed)?"),
    ("IMPROVES", False, r"improv(?:es?|ing|ed)(?: (?:up)?on| over)?"),
    ("IMPROVES", False, rf"{_BY}(?:better|superior)(?: than| to)"),
    ("COMPARES_TO", False, rf"{_BE}compar(?:es?|ed|able|ing)(?: \w+)? (?:to|with|against)|versus|vs\.?"),
    ("BASED_ON", False, rf"{_BE}(?:based|built|founded) (?:up)?on(?: top of)?|builds? (?:up)?on(?: top of)?"),
    ("BASED_ON", False, rf"extend(?:s|ing)|generali[sz](?:es|ing)|{_BE}(?:derived from|inspired by)"),
    ("BASED_ON", False, rf"{_BY}an? (?:\w+ )?(?:variant|extension|version) of"),
    ("USES", False, r"us(?:es?|ing)|employ(?:s|ing)?|rel(?:y|ies) on"),
    ("USES", False, r"leverag(?:es?|ing)|utili[sz](?:es?|ing)"),
    ("USES", False, rf"orchestrat(?:es?|ing)|combin(?:es?|ing)|{_BY}(?:measured|scored|judged) by"),
    ("APPLIES_TO", False, rf"{_BE}(?:evaluated|tested|benchmarked|applied|validated)(?: \w+)? (?:on|to)"),
    ("APPLIES_TO", False, rf"{_BE}(?:pre-?|fine-?)?(?:trained|tuned)(?: \w+)? (?:on|with|over)"),
)
_SAYS = [(kind, turned, re.compile(rf"\b(?:{cue})(?!\w)", re.IGNORECASE)) for kind, turned, cue in _CUES]
_ON = re.compile(r"\b(?:on|over|to)(?: (?:the|an?|both|standard|popular|public|large))*,? $")
_NOT = re.compile(rf"\b(?:{one_of(NEGATIONS)}|fails?|unlike)\b|n['’]t\b", re.IGNORECASE)
_ANOTHER_CLAUSE = re.compile(r"[.;:()]|\b(?:while|but|whereas|who|because|when|if|although)\b")
_SAME_SUBJECT = re.compile(r",? (?:and|but)(?: \w+ly)? ")
_LIST = re.compile(r",? (?:and|or) (?:the )?|, ")
_MOST_WORDS = 7  # between a thing and the words that say what it does, and from these to the other


def of_research(
    text: str, relation: ExtractedRelation, entities: Sequence[ExtractedEntity]
) -> ExtractedRelation:
    """The relation with its type as first keyword, turned round where the sentence says it from behind.

    As it is where the sentence tells no type. entities: those of the passage, with their types of research.
    """
    a, b = _first(relation.source, entities, relation), _first(relation.target, entities, relation)
    if a is None or b is None or a.end > b.start or not {a.types[0], b.types[0]} <= _TYPES:
        return relation
    start = max(a.end, relation.start)
    between = re.sub(r"\s", " ", text[start : b.start])
    inner = [(e.start - start, e.end - start) for e in entities if start <= e.start < b.start]
    kind, turned = _said(between, inner, a.types[0], b.types[0])
    if not kind:
        return relation
    source, target = (b, a) if turned else (a, b)
    return replace(
        relation,
        source=source.stands_for or source.name,
        target=target.stands_for or target.name,
        keywords=(kind, *relation.keywords),
    )


def _first(
    name: str, entities: Sequence[ExtractedEntity], relation: ExtractedRelation
) -> ExtractedEntity | None:
    """The first mention in the sentence; of what the sentence before is about, the last one before."""
    here = [entity for entity in entities if (entity.stands_for or entity.name) == name]
    within = [entity for entity in here if relation.start <= entity.start < relation.end]
    before = [entity for entity in here if entity.start < relation.start]
    return within[0] if within else (before[-1] if before else None)


def _said(between: str, inner: Sequence[tuple[int, int]], first: str, second: str) -> tuple[str, bool]:
    """The type, and whether the second thing is its source; empty where the words between tell none.

    inner: where other things are named in between.
    """
    if _NOT.search(between):
        return "", False
    matches = [(cue, kind, turned) for kind, turned, says in _SAYS for cue in says.finditer(between)]
    # The words that end last, and of these the longest, are nearest to the second thing.
    cue, kind, turned = max(
        matches, key=lambda found: (found[0].end(), -found[0].start()), default=(None, "", False)
    )
    if cue is None or not _is_subject(between, inner, cue.start()):
        return "", False
    behind = _without_list(between, inner, cue.end())
    if behind is None or _ANOTHER_CLAUSE.search(behind) or len(behind.split()) > _MOST_WORDS:
        is_tried = second == "DATASET" and first in _WORKS and kind == "IMPROVES" and _ON.search(between)
        return ("APPLIES_TO", False) if is_tried else ("", False)
    if second == "DATASET" and kind != "BASED_ON":
        return ("APPLIES_TO", False) if first in _WORKS and kind in ("APPLIES_TO", "USES") else ("", False)
    return kind, turned


def _is_subject(between: str, inner: Sequence[tuple[int, int]], cue: int) -> bool:
    """Whether the words from `cue` on speak of the first thing, not of another one that stands in between."""
    before = [span for span in inner if span[1] <= cue]
    if before:
        return bool(_SAME_SUBJECT.fullmatch(between[before[-1][1] : cue]))
    lead = between[:cue]
    return not _ANOTHER_CLAUSE.search(lead) and " and " not in f"{lead} " and len(lead.split()) <= _MOST_WORDS


def _without_list(between: str, inner: Sequence[tuple[int, int]], start: int) -> str | None:
    """What stands from `start` on, without what is listed beside the last thing; None if more is named."""
    left, at = "", start
    for begin, end in inner:
        if begin < start:
            continue
        listed = _LIST.match(between, end)
        if listed is None:
            return None
        left, at = left + between[at:begin], listed.end()
    return left + between[at:]
