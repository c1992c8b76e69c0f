"""What SVQ tells, as values. Each has the fields that a program wants most; others of the JSON are left out.

States and verdicts are texts and no enumerations, because a later server may have more of them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a document could not be read, or a question not be answered."""

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Datasource:
    id: int
    name: str
    description: str
    owner: str  # e-mail address
    suggested_questions: tuple[str, ...]
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class StageProgress:
    """Pages, chunks or vectors of the stage that a document's `status` names."""

    done: int
    total: int


READ_TO_THE_END = ("ready", "failed", "cancelled", "superseded", "deleted")


@dataclass(frozen=True, slots=True)
class Document:
    """status: `queued`, a stage such as `extracting`, or how it ended: `ready`, `failed`, `cancelled`,
    `superseded` by a newer version, `deleted`. page_count: None until it is known. read_elsewhere: its
    text came with an imported file, and the server has not read it itself. error: why it failed.
    """

    id: int
    datasource: int
    title: str
    filename: str
    mime: str
    size: int
    version: int
    status: str
    progress: StageProgress
    page_count: int | None
    chunk_count: int
    read_elsewhere: bool = field(default=False, kw_only=True)  # servers of before don't say it
    error: Fault | None
    created: datetime
    metadata: dict[str, Any]

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will be read."""
        return self.status in READ_TO_THE_END


@dataclass(frozen=True, slots=True)
class Upload:
    """outcome: `accepted`, or `duplicate` where all of it was there already. documents: their numbers; a
    file of ready passages has one for each line.
    """

    file: str
    outcome: str
    documents: tuple[int, ...]
    duplicates: int


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """While documents are waited for: how many of them are settled, and the one that is waited for now."""

    settled: int
    total: int
    document: Document


@dataclass(frozen=True, slots=True)
class Deletion:
    """The receipt of a deletion. removed, left: how many of each kind of thing; left is None before the
    first check. completed: when the last check found nothing left; None until then.
    """

    id: str
    datasource: int | None
    document: int | None
    document_name: str
    requested: datetime
    completed: datetime | None
    removed: dict[str, int]
    left: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document as it is searched. start, end: its place in the text of the document.
    read_elsewhere: as the document's.
    """

    id: int
    document: int
    index: int
    text: str
    start: int
    end: int
    first_page: int
    last_page: int
    read_elsewhere: bool = field(default=False, kw_only=True)  # servers of before don't say it
    kind: str
    section: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that was found. score: 0 to 1, comparable within one answer. page: the first that it is on.
    read_elsewhere: as the document's.
    """

    text: str
    score: float
    document: int
    title: str
    file_name: str
    page: int
    chunk: int
    kind: str
    read_elsewhere: bool = field(default=False, kw_only=True)  # servers of before don't say it


@dataclass(frozen=True, slots=True)
class Retrieval:
    """rerank_failed, expand_failed: why not, where it was asked for; else None."""

    passages: tuple[Passage, ...]
    candidates: int
    reranked: bool
    rerank_failed: str | None
    wordings: tuple[str, ...]
    expand_failed: str | None


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """id: None where it was deleted, or no source was found."""

    id: int | None
    title: str


@dataclass(frozen=True, slots=True)
class Citation:
    """The proof of one claim: `[n]` in the answer.

    pages: that the quote overlaps, from 1. on_page says of the quote whether its words stand there:
    `exact`, `normalised`, `corrected` or `absent`; read_elsewhere: the page's text came with an imported
    file, and the server has not read the document itself. support says of the claim whether the quote
    carries it: `supported` (confirmed_by `code` or `reader`), `facts_agree`, `contradicted`,
    `needs_your_eye`, `none`; reason: why it does not. start, end: in the document's text, in characters;
    None without a source. before, after: the rest of the quote's sentence.
    """

    turn: str
    n: int
    document: CitedDocument
    pages: tuple[int, ...]
    place_in_file: str
    quote: str
    claim: str
    start: int | None
    end: int | None
    before: str
    after: str
    on_page: str
    read_elsewhere: bool = field(default=False, kw_only=True)  # servers of before don't say it
    support: str
    confirmed_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Box:
    """A line of the quote on its page, 0 to 1000 from the top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Proof:
    """Where a citation stands. boxes: by number of the page. crops: the pages that have one."""

    citation: Citation
    boxes: dict[int, tuple[Box, ...]]
    crops: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of a written answer; None where the server does not say. confidence: the share of its sentences that is
    confirmed, 0 to 1. relevant, answers (`wholly`, `partly`, `not`): as a second reader says.
    """

    grounded: bool | None = None
    hallucinated: bool | None = None
    confidence: float | None = None
    claims: int | None = None
    supported: int | None = None
    invented: int | None = None
    unsourced: int | None = None
    relevant: bool | None = None
    answers: str | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """What a reader of the answer has to know beside it."""

    code: str
    text: str


UNFINISHED = ("queued", "running")


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its answer, as far as it has come.

    id: of the turn. text: Markdown, `[1]` where citation 1 stands; empty for `not_found`. status:
    `answered`, `partial`, `quotes` (passages word for word, without a language model), `unproven`,
    `not_found`, `failed` (`error` says why), `stopped`, or `queued` and `running` before. ahead: how many
    questions come before it while it is queued. missing: what a partial answer lacks. verdict: None where
    nothing was claimed. seconds: that it took, None until it has ended.
    """

    id: str
    conversation: str
    question: str
    text: str
    status: str
    ahead: int | None
    citations: tuple[Citation, ...]
    verdict: Verdict | None
    unsourced: int
    missing: str
    notices: tuple[Notice, ...]
    model: str
    seconds: float | None
    error: Fault | None

    @property
    def is_finished(self) -> bool:
        return self.status not in UNFINISHED


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer as it is written: what was written so far is cut at `offset` (characters), then
    `text` is put there. At 0 it replaces all.
    """

    turn: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What is done for an answer, in words for people; a later step with the same id replaces it. state:
    `now`, empty when it is done, `w` needs attention, `f` failed.
    """

    turn: str
    id: str
    label: str
    text: str
    state: str
