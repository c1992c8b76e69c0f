"""A quote of an answer as it was checked: where it stands, what it means for its claim, and who says so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from citations.choices import ConfirmedBy, OnPage, Support
from citations.statements import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuote:
    """`written`: as the model wrote it; `quote`: the source's own words, empty where they were not found,
    which stand from `start` to `end` in the document's text. `claim`: the words of the answer that it
    stands for; `before` and `after`: the rest of the quote's sentence; `heading`: over it. `checks` and
    `judge`: what code and a second reader have found, as JSON; `objections`: what code finds against the
    claim. `boxes`: by page, the rectangles of the quote in thousandths. `chunk`: the passage that has it
    now. `masked`: kinds of personal data that are masked in it.
    """

    n: int = 0
    claim: str = ""
    written: str = ""
    document_id: int | None = None
    document_title: str = ""
    cited_as: str = ""
    chunk: int | None = None
    heading: str = ""
    quote: str = ""
    start: int | None = None
    end: int | None = None
    pages: Sequence[int] = ()
    place_in_file: str = ""
    boxes: Mapping[str, Any] = field(default_factory=dict)
    on_page: str = ""
    support: str = Support.NONE
    confirmed_by: str = ConfirmedBy.NOBODY
    reader: str = ""
    reason: str = ""
    checks: Sequence[Mapping[str, Any]] = ()
    objections: Sequence[str] = ()
    judge: Mapping[str, Any] = field(default_factory=dict)
    masked: Sequence[str] = ()
    before: str = ""
    after: str = ""

    @property
    def is_on_page(self) -> bool:
        return self.on_page != OnPage.ABSENT

    @property
    def is_invented(self) -> bool:
        """Whether the claim has no proof, or its proof says otherwise."""
        disbelieved = self.judge.get("supported") is False
        return not self.is_on_page or self.support == Support.CONTRADICTED or disbelieved

    @property
    def statement(self) -> Statement:
        """What a second reader is asked about it."""
        return Statement(
            n=self.n,
            claim=self.claim,
            quote=self.quote,
            sentence=" ".join(filter(None, (self.before, self.quote, self.after))),
            heading=self.heading,
        )


def statements_of(quotes: Iterable[CheckedQuote]) -> list[Statement]:
    return [each.statement for each in quotes]
