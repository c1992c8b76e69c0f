"""The verdict on a whole answer, from its checked claims. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from citations.checked import CheckedQuote
from citations.choices import ConfirmedBy, Support
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


def verdict_of(quotes: Sequence[CheckedQuote], unsourced: int, answers: Answers) -> Verdict:
    """Of an answer that claims something; quotes alone claim nothing."""
    claiming = [each for each in quotes if each.claim]
    supporting = [each for each in quotes if each.support == Support.SUPPORTED]
    by_reader = sum(each.confirmed_by == ConfirmedBy.READER for each in supporting)
    told = len(claiming) + unsourced
    confirmed = 0 if answers == Answers.NOT else len(supporting)
    return Verdict(
        claims=len(claiming),
        supported=len(supporting),
        confirmed_by_code=len(supporting) - by_reader,
        confirmed_by_reader=by_reader,
        invented=sum(each.is_invented for each in quotes),
        unsourced=unsourced,
        relevant=None if answers == Answers.UNKNOWN else answers != Answers.NOT,
        answers=answers.value or None,
        confidence=round(confirmed / told, 2) if told else 0.0,
        sources=tuple(dict.fromkeys(each.document_title for each in supporting)),
    )
