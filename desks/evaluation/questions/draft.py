"""A question that is not stored yet: what makers and importers of questions give."""

from dataclasses import dataclass, field
from uuid import UUID

from desks.evaluation.models import Kind

PASSAGES = "passages"  # template of questions whose gold is told by passages alone, as BEIR does


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A place that has one piece of the answer; without `quote` the page, without `page` the document."""

    document_id: int | None
    title: str
    quote: str = ""
    start: int | None = None
    end: int | None = None
    page: int | None = None
    piece: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """`template` names the rule that made it; `subject` is what it asks about, for balance; `key` is told by
    a file that SVQ has exported; `about` are the documents that the words of a no-source question are from.
    """

    kind: Kind
    text: str
    reference: str
    proofs: tuple[Proof, ...] = ()
    template: str = ""
    subject: str = field(default="", compare=False)
    key: UUID | None = field(default=None, compare=False)
    about: tuple[int, ...] = field(default=(), compare=False)

    @property
    def documents(self) -> tuple[int, ...]:
        return tuple(sorted({proof.document_id for proof in self.proofs if proof.document_id is not None}))
