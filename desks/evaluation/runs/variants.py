"""A way of answering that a run measures, written as on the command line: "agent,graph=off,fusion=rrf"."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from datasources.models import Chunking, Datasource
from datasources.services import check_chunking
from ingestion.chunks.cutting import Cutting
from localization.numbers import numeral
from retrieval.query import HYBRID, Fusion, Leg, Rerank

GRAPH_TOOLS = frozenset({"query_entities", "query_relations", "query_knowledge_graph", "list_mentions"})
LONGEST = 200  # characters
HELP = (
    "Parts with commas between them: agent or fast; keyless; search (nothing is answered); graph=on|off; "
    "legs=dense+bm25+document+graph; fusion=weighted|rrf; alpha=0.5; near=0.5; "
    "rerank=none|bge|llm; chunking=recursive|paragraph, also with the characters of a chunk and those that "
    "two share, as chunking=paragraph:1500:150; model=NAME."
)
MOST = 12  # variants at once
_SHARE_OF_OVERLAP = 10  # one in so many characters of a chunk, where only its size is told


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """`answers` False: only the search is measured. `model` empty: that of the datasource. `keyless`: without
    a language model, although one is set. `legs` None: as the product searches. `near`: share of the best
    passage's score that others need. `chunking` None: the chunks of the datasource; size and
    overlap in characters, None as there.
    """

    mode: str = "agent"
    answers: bool = True
    keyless: bool = False
    graph: bool = True
    legs: frozenset[Leg] | None = None
    fusion: Fusion = Fusion.WEIGHTED
    near: float = 0.0
    alpha: float | None = None
    rerank: Rerank = Rerank.NONE
    model: str = ""
    chunking: Chunking | None = None
    chunk_size: int | None = None
    chunk_overlap: int | None = None
    written: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValidationError, which names the part that is wrong."""
        values: dict[str, object] = {}
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            name, _, value = part.partition("=")
            values |= _read(name.strip().lower(), value.strip(), part)
        written = ",".join(filter(None, (piece.strip() for piece in text.split(","))))
        if len(written) > LONGEST:
            raise ValidationError(
                gettext("A variant has at most {longest} characters, this one {n}.").format(
                    longest=LONGEST, n=numeral(len(written))
                ),
                code="variant",
            )
        return cls(**values, written=written)  # type: ignore[arg-type]

    @property
    def searched_legs(self) -> frozenset[Leg]:
        """Those of the search by meaning and words."""
        return self.legs if self.legs is not None else HYBRID

    @property
    def asks_model(self) -> bool:
        """Whether it asks a language model, where there is one."""
        return (self.answers and not self.keyless) or self.rerank == Rerank.LLM

    @property
    def label(self) -> str:
        """In words: "Agent, no graph, reciprocal rank"."""
        if not self.answers:
            words = ["Search alone"]
        else:
            words = ["Fast" if self.mode == "fast" else "Agent"]
        if self.model:
            words.append(self.model)
        if self.keyless:
            words.append("no language model")
        if not self.graph:
            words.append("no graph")
        if self.legs is not None:
            words.append(" + ".join(sorted(self.legs)))
        if self.fusion != Fusion.WEIGHTED:
            words.append("reciprocal rank")
        if self.alpha is not None:
            words.append(f"{self.alpha:g} meaning")
        if self.near:
            words.append(f"from {self.near:g} of the best")
        if self.rerank != Rerank.NONE:
            words.append(f"reranked by {'a server' if self.rerank == Rerank.BGE else 'the model'}")
        if self.chunking:
            words.append(
                "passages by paragraph" if self.chunking == Chunking.PARAGRAPH else "passages by size"
            )
        if self.chunk_size:
            words[-1] += f" of {self.chunk_size:,}"
        return ", ".join(words)

    def cutting(self, datasource: Datasource) -> Cutting:
        """How documents are cut for it. Raises ValidationError where chunks would share too much."""
        own = Cutting.of(datasource)
        if self.chunking is None:
            return own
        size = self.chunk_size or own.size
        overlap = self.chunk_overlap
        if overlap is None:
            overlap = own.overlap if self.chunk_size is None else size // _SHARE_OF_OVERLAP
        check_chunking(size, overlap)
        return Cutting(kind=self.chunking, size=size, overlap=overlap)


def checked_variants(texts: Sequence[str]) -> list[Variant]:
    """Each once; none is the datasource's own way. Raises ValidationError."""
    variants = dict.fromkeys(Variant.parse(text) for text in texts or [""])
    if len(variants) > MOST:
        raise ValidationError(
            gettext("More than {most} variants at once. Choose fewer.").format(most=MOST), code="variants"
        )
    return list(variants)


def _read(name: str, value: str, part: str) -> dict[str, object]:
    if not value:
        plain: dict[str, dict[str, object]] = {
            "agent": {"mode": "agent"},
            "fast": {"mode": "fast"},
            "keyless": {"keyless": True},
            "search": {"answers": False},
        }
        if name in plain:
            return plain[name]
    try:
        match name:
            case "graph" if value in ("on", "off"):
                return {"graph": value == "on"}
            case "legs" if value:
                return {"legs": frozenset(Leg(leg) for leg in value.split("+"))}
            case "fusion":
                return {"fusion": Fusion(value)}
            case "alpha" if 0 <= float(value) <= 1:
                return {"alpha": float(value)}
            case "near" if 0 <= float(value) <= 1:
                return {"near": float(value)}
            case "rerank":
                return {"rerank": Rerank(value)}
            case "chunking" if value:
                return _chunking(*value.split(":"))
            case "model" if value:
                return {"model": value[:200]}
    except (ValueError, TypeError):
        pass
    raise ValidationError(
        gettext("“{part}” is not part of a variant. {help}").format(part=part[:80], help=HELP), code="variant"
    )


def _chunking(kind: str, size: str = "", overlap: str = "") -> dict[str, object]:
    """Raises ValueError, ValidationError."""
    told = {name: int(text) for name, text in (("chunk_size", size), ("chunk_overlap", overlap)) if text}
    if "chunk_size" in told:
        check_chunking(told["chunk_size"], told.get("chunk_overlap", 0))
    return {"chunking": Chunking(kind), **told}
