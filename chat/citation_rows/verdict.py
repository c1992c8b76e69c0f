"""The verdict on a whole answer, from its checked claims. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chat.models import Citation
from citations.choices import ConfirmedBy, OnPage, Support
from citations.opinion import Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """claims: with a citation; unsourced: sentences without one. supported: claims that are confirmed, by
    code or by a second reader. invented: claims whose quote is nowhere, that their source contradicts or that
    a second reader does not find in it. confidence: the share of all that is confirmed, 0 to 1, and 0 for
    what does not answer the question. sources: documents that support a claim. relevant: whether it answers
    the question or a part of it, as a second reader says; None where none has read it. answers: how much of
    the question, as that says.
    """

    claims: int
    supported: int
    confirmed_by_code: int
    confirmed_by_reader: int
    invented: int
    unsourced: int
    relevant: bool | None
    answers: str | None
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


def verdict_of(citations: Sequence[Citation], unsourced: int, answers: Answers) -> Verdict:
    """Of an answer that claims something; quotes alone claim nothing."""
    claiming = [citation for citation in citations if citation.claim]
    supporting = [citation for citation in citations if citation.support == Support.SUPPORTED]
    by_reader = sum(citation.confirmed_by == ConfirmedBy.READER for citation in supporting)
    told = len(claiming) + unsourced
    confirmed = 0 if answers == Answers.NOT else len(supporting)
    return Verdict(
        claims=len(claiming),
        supported=len(supporting),
        confirmed_by_code=len(supporting) - by_reader,
        confirmed_by_reader=by_reader,
        invented=sum(map(is_invented, citations)),
        unsourced=unsourced,
        relevant=None if answers == Answers.UNKNOWN else answers != Answers.NOT,
        answers=answers.value or None,
        confidence=round(confirmed / told, 2) if told else 0.0,
        sources=tuple(dict.fromkeys(citation.document_title for citation in supporting)),
    )


def is_invented(citation: Citation) -> bool:
    """Whether the claim has no proof, or its proof says otherwise."""
    disbelieved = citation.judge.get("supported") is False
    return citation.on_page == OnPage.ABSENT or citation.support == Support.CONTRADICTED or disbelieved
