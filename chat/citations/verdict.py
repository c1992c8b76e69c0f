"""The verdict on a whole answer, from its checked claims. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chat.models import Citation, OnPage, Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """claims: with a citation; unsourced: sentences without one. invented: claims whose quote is nowhere,
    that their source contradicts or that the judge does not find in it. confidence: the share of all that is
    supported, 0 to 1. sources: documents that support a claim. relevant: whether it answers the question, as
    the model says that wrote it.
    """

    claims: int
    supported: int
    invented: int
    unsourced: int
    relevant: bool
    confidence: float
    sources: tuple[str, ...]

    @property
    def grounded(self) -> bool:
        return bool(self.claims) and self.supported == self.claims and not self.unsourced

    @property
    def hallucinated(self) -> bool:
        return self.invented > 0

    def as_json(self) -> dict[str, Any]:
        return {"grounded": self.grounded, "hallucinated": self.hallucinated, **asdict(self)}


def verdict_of(citations: Sequence[Citation], unsourced: int, *, relevant: bool) -> Verdict:
    """Of an answer that claims something; quotes alone claim nothing."""
    supporting = [citation for citation in citations if citation.support == Support.SUPPORTED]
    told = len(citations) + unsourced
    return Verdict(
        claims=len(citations),
        supported=len(supporting),
        invented=sum(map(is_invented, citations)),
        unsourced=unsourced,
        relevant=relevant,
        confidence=round(len(supporting) / told, 2) if told else 0.0,
        sources=tuple(dict.fromkeys(citation.document_title for citation in supporting)),
    )


def is_invented(citation: Citation) -> bool:
    """Whether the claim has no proof, or its proof says otherwise."""
    disbelieved = citation.judge.get("supported") is False
    return citation.on_page == OnPage.ABSENT or citation.support == Support.CONTRADICTED or disbelieved
