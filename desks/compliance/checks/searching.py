"""The passages of a subject's documents that are nearest to each part of a requirement."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desks.compliance.checks.parts import parts_of
from desks.compliance.models import Requirement
from providers.protocols import Embedder
from retrieval.engine import Query, retrieve
from retrieval.evidence import Evidence as Passage
from retrieval.query import Scope
from retrieval.running_lines import with_running_lines

EACH_PART = 4  # passages
MOST_PASSAGES = 12  # of a requirement
MOST_CHARACTERS = 16_000  # that a model reads of them
ENOUGH_WORDS = 40  # characters of a part that says by itself what it is about
_GOES_ON = re.compile(r"(?:it|its|they|their|this|these|those|such|and|or|then|including)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """title: what the requirement is about. parts: of the requirement. nearest: for each of them the keys of
    its passages, the nearest first. passages: by key ("p1", "p2", ...), in the order of first mention.
    """

    title: str
    parts: Sequence[str]
    nearest: Sequence[Sequence[str]]
    passages: Mapping[str, Passage]


def search(
    requirement: Requirement, above: Sequence[Requirement], scope: Scope, embedder: Embedder
) -> Searched:
    """`above`: the nodes that the requirement is under, the outermost first. Raises ProviderError."""
    titles = [requirement.title, *(node.title for node in reversed(above))]
    title = next(filter(None, titles), "")
    parts = parts_of(requirement.wording)
    keys: dict[int, str] = {}
    passages: dict[str, Passage] = {}
    nearest: list[list[str]] = []
    found = [
        with_running_lines(
            retrieve(Query(text=_asked(part, requirement, title), k=EACH_PART), scope, embedder).evidence
        )
        for part in parts
    ]
    # Round by round, so that no part takes all the room.
    for rank in range(EACH_PART):
        for place, evidence in enumerate(found):
            if len(nearest) <= place:
                nearest.append([])
            if rank >= len(evidence):
                continue
            passage = evidence[rank]
            if passage.chunk_id not in keys:
                used = sum(len(each.text) for each in passages.values())
                if len(passages) >= MOST_PASSAGES or used + len(passage.text) > MOST_CHARACTERS:
                    continue
                keys[passage.chunk_id] = f"p{len(keys) + 1}"
                passages[keys[passage.chunk_id]] = passage
            nearest[place].append(keys[passage.chunk_id])
    return Searched(title=title, parts=parts, nearest=nearest, passages=passages)


def _asked(part: str, requirement: Requirement, title: str) -> str:
    """The part after the requirement's own title; after another one above it where the part needs it."""
    says_enough = len(part) >= ENOUGH_WORDS and not _GOES_ON.match(part)
    about = requirement.title or ("" if says_enough else title)
    return f"{about}: {part}".strip(": ")[:1000]
