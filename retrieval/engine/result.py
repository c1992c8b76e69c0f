"""The result of a search: passages, best first, and how they were found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.evidence import Evidence
from retrieval.query import Leg


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`milliseconds` of each stage; `candidates`: passages that were weighed; `weights`: how much each leg
    counted, of several datasources where it counted most. `rerank_failed`: why the passages stand as the legs
    left them, where a reranker was asked for. `wordings`: in which other words the question was searched;
    `expand_failed`: why in none, where the language model was asked for them.
    """

    evidence: tuple[Evidence, ...]
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    candidates: int = 0
    weights: Mapping[Leg, float] = field(default_factory=dict)
    reranked: bool = False
    foreign: str = ""  # the question's language (ISO 639-1), where no document that was searched is in it
    rerank_failed: str = ""
    wordings: tuple[str, ...] = ()
    expand_failed: str = ""
    unknown: tuple[str, ...] = ()  # words of the question that no passage of the datasource has, folded
