"""What stands inside the JSON columns of a bundle. Each shape is that of the code that writes the column, and
pages, files and jobs rely on it. More keys than these are let through where whoever reads the column looks
only for its own.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from django.db import models
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, create_model
from pydantic import ValidationError as PydanticError

from chat.models import AnswerSettings
from citations.choices import OnPage, Support
from datasources.models import Chunking
from datasources.models.outside_ids import EXTERNAL_ID, OURS
from desks.compliance.verdicts import Verdict

MOST_SOURCES = 2_000  # of a note or a memo: each is looked up in its document
YEARS = range(1900, 9000)  # what is later can be stored and never be read again

Whole = Annotated[int, Field(ge=0, lt=2**31)]
Place = Annotated[int, Field(ge=-(2**31), lt=2**31)]
Row = Annotated[int, Field(ge=0, lt=2**63)]
Measure = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
PageNumber = Annotated[str, Field(pattern=r"^[0-9]{1,9}$")]
Box = tuple[Measure, Measure, Measure, Measure]
Language = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_/-]{0,39}$")]  # as Tesseract names it
Nothing = Annotated[dict[str, Any], Field(max_length=0)]


def is_moment(written: str) -> bool:
    """Whether it is a day or a time that can be shown wherever the reader is."""
    try:
        moment = datetime.fromisoformat(written)
        return (moment.astimezone(UTC) if moment.tzinfo else moment).year in YEARS
    except (ValueError, OverflowError):
        return False


def _moment(written: str) -> str:
    if not is_moment(written):
        raise ValueError("no time")
    return written


def _price(written: str) -> str:
    try:
        price = Decimal(written)
    except ArithmeticError as error:
        raise ValueError("no price") from error
    if not (price.is_finite() and 0 <= price < 10**12 and len(written) < 60):
        raise ValueError("no price")
    return written


def _metadata(given: dict[str, Any]) -> dict[str, Any]:
    listed = given.get(EXTERNAL_ID)
    for each in listed if isinstance(listed, list) else [listed]:
        if isinstance(each, str) and each.startswith(OURS):  # which stands for another document
            raise ValueError("an id of SVQ's own")
    return given


Moment = Annotated[str, AfterValidator(_moment)]
Price = Annotated[str, AfterValidator(_price)]
Metadata = Annotated[dict[str, Any], AfterValidator(_metadata)]


class Shape(BaseModel):
    model_config = ConfigDict(strict=True)


class Exact(BaseModel):
    """What is read back with all its keys as arguments, or all of whose keys are shown."""

    model_config = ConfigDict(strict=True, extra="forbid")


# --- documents -------------------------------------------------------------------------------------------
class FileProperties(Shape):
    """See formats.base.file_properties."""

    title: str = ""
    author: str = ""
    created: Moment = ""
    modified: Moment = ""
    subject: str = ""
    sender: str = ""
    recipients: list[str] = []
    sent: Moment = ""


BlockLine = tuple[Place, Place, Place, Place, bool, Place]


class Layout(Shape):
    """See formats.base.layout."""

    bookmarks: list[tuple[Place, str, Measure | None]] = []
    print: list[tuple[Place, Measure, bool, Place]] = []
    block_lines: list[BlockLine] | None = None
    rows: list[BlockLine] = []
    filled_in: list[tuple[Place, Place, str]] = []


class Suggested(Shape):
    question: str
    documents: list[Row]


# --- chat ------------------------------------------------------------------------------------------------
class Source(Shape):
    """What a note or a memo keeps of a citation."""

    n: int
    document: int | None
    pages: list[int]
    title: str
    where: str
    quote: str
    said: str


class Message(Shape):
    role: str
    content: str


class Call(Shape):
    """A tool's; the arguments are a model's own."""

    tool: str
    arguments: dict[str, Any]
    hits: Whole
    ms: Measure


class Step(Exact):
    """See answering.values.events."""

    id: str
    label: str
    icon: str
    text: str = ""
    found: str = ""
    doing: str = ""
    state: Literal["now", "", "w", "f"] = "now"
    ms: Measure | None = None


class TimedStep(Step):
    """See chat.trace."""

    start: Measure
    tokens: Row = 0


class Near(Shape):
    document: Row
    title: str
    chunk: Row
    pages: list[Whole]
    text: str
    score: Measure


class Search(Shape):
    """See answering.unanswered."""

    complete: bool = False
    words: list[str] = []
    words_absent: list[str] = []
    names_absent: list[str] = []
    unread: Whole = 0
    searched: bool = True
    foreign: str = ""


class Usage(Exact):
    prompt_tokens: Row = 0
    completion_tokens: Row = 0


class FollowUp(Shape):
    question: str
    document: Row


class Counted(Shape):
    document: Row
    title: str
    passages: Whole
    places: Whole
    chunk: Row | None
    page: Whole | None


class Notice(Shape):
    code: str
    text: str
    documents: list[Counted] = []


class Side(Shape):
    citation: Whole
    value: tuple[Whole, Whole]
    of: Whole


class Differ(Shape):
    """See answering.stages.differing."""

    kind: str
    sides: list[Side]
    ranked_by: Whole | None = None


class OfAnswer(Shape):
    """See citations.verdict."""

    grounded: bool
    hallucinated: bool
    claims: Whole
    supported: Whole
    confirmed_by_code: Whole
    confirmed_by_reader: Whole
    invented: Whole
    unsourced: Whole
    relevant: bool | None
    answers: str | None = None
    confidence: Measure
    sources: list[str]


class Compared(Shape):
    """See citations.support.outcome."""

    name: str
    passed: bool
    detail: str = ""
    claimed: str = ""
    quoted: str = ""


class Opinion(Shape):
    """See citations.opinion."""

    supported: bool
    reason: str
    model: str
    verdict: str = ""
    words: str = ""
    writer: bool = False


# --- evaluation ------------------------------------------------------------------------------------------
class Ordered(Shape):
    single: Whole = 0
    multi: Whole = 0
    none: Whole = 0
    by_model: bool = False
    token_budget: Row | None = None


class Made(Shape):
    ordered: Whole
    made: Whole
    left_out: dict[str, Whole]


class Cut(Shape):
    kind: Chunking
    size: Whole
    overlap: Whole


class Prices(Exact):
    sent: Price = "0"
    written: Price = "0"


def _of_field(column: "models.Field[Any, Any]") -> Any:
    match column:
        case models.BooleanField():
            return bool
        case models.FloatField():
            return Measure
        case models.IntegerField():
            return Whole
        case _:
            return Literal[tuple(str(value) for value, _ in column.flatchoices)]


# Of a run's stages: each key is a setting of answers, and is shown by its name.
_STAGES: dict[str, Any] = {
    column.name: (_of_field(column), None)
    for column in AnswerSettings._meta.local_concrete_fields
    if not column.primary_key
}
Stages: Any = create_model("Stages", __base__=Exact, **_STAGES)


class Frozen(Shape):
    """See desks.evaluation.runs.frozen."""

    answers: bool
    model: str
    judge: str
    stages: Stages
    chunking: Cut
    prices: Prices
    judge_prices: Prices
    mode: str = ""
    graph: bool = False
    legs: list[str] = []
    fusion: str = ""
    alpha: Measure | None = None
    near: Measure | None = None
    rerank: str = ""
    quotes_only: bool = False
    embedder: str = ""
    documents: Whole = 0
    chunks: Whole | None = None


class Cited(Shape):
    """See desks.evaluation.runs.answering.citation_json."""

    n: Whole
    claim: str
    quote: str
    document: Row | None
    title: str
    pages: list[Whole]
    start: Whole | None
    end: Whole | None
    on_page: OnPage
    support: Support
    reason: str


class Passage(Shape):
    chunk: Row
    document: Row
    title: str
    pages: list[Whole]
    start: Whole
    end: Whole
    gold: bool
    used: bool


class Statement(Shape):
    text: str
    supported: bool
    reason: str


class Judged(Shape):
    """See desks.evaluation.runs.judging."""

    model: str
    scores: dict[str, Measure]
    statements: list[Statement]


# --- compliance ------------------------------------------------------------------------------------------
class Words(Shape):
    title: str = ""
    text: str = ""


class Part(Shape):
    text: str
    verdict: Verdict
    statement: str
    reason: str


class Reply(Shape):
    answer: str


PAGES, BOXES = list[Whole], dict[PageNumber, list[Box]]
NUMBERS, TEXTS = list[Row], list[str]
SOURCES = Annotated[list[Source], Field(max_length=MOST_SOURCES)]
Spelling = tuple[str, str, list[str], Whole, Whole]  # see graph.resolution.frequent_names

_COLUMNS: Mapping[tuple[str, str], Any] = {
    ("datasources.Datasource", "scan_languages"): list[Language],
    ("datasources.Datasource", "suggested_questions"): TEXTS,
    ("datasources.Document", "metadata"): Metadata,
    ("datasources.Document", "file_properties"): FileProperties,
    ("datasources.Introduction", "questions"): list[Suggested],
    ("datasources.Introduction", "documents"): NUMBERS,
    ("ingestion.Page", "layout"): Layout,
    ("ingestion.Table", "heads"): TEXTS,
    ("graph.EntityName", "spellings"): list[Spelling] | None,
    ("research.Paper", "authors"): TEXTS,
    ("research.Paper", "categories"): TEXTS,
    ("chat.Note", "sources"): SOURCES,
    ("memos.Memo", "sources"): SOURCES,
    ("chat.Conversation", "document_ids"): NUMBERS | None,
    ("chat.Turn", "document_ids"): NUMBERS | None,
    ("chat.Turn", "earlier"): list[Message],
    ("chat.Turn", "steps"): list[Call],
    ("chat.Turn", "trace"): list[TimedStep],
    ("chat.Turn", "nearest"): list[Near],
    ("chat.Turn", "search"): Search,
    ("chat.Turn", "usage"): Usage,
    ("chat.Turn", "follow_ups"): list[FollowUp] | None,
    ("chat.Turn", "notices"): list[Notice],
    ("chat.Turn", "differ"): Nothing | Differ,
    ("chat.Turn", "verdict"): Nothing | OfAnswer,
    ("chat.Citation", "pages"): PAGES,
    ("chat.Citation", "boxes"): BOXES,
    ("chat.Citation", "checks"): list[Compared],
    ("chat.Citation", "judge"): Nothing | Opinion,
    ("chat.Citation", "masked"): TEXTS,
    ("evaluation.QuestionSet", "ordered"): Ordered,
    ("evaluation.QuestionSet", "made"): dict[str, Made],
    ("evaluation.Run", "frozen"): Frozen,
    ("evaluation.Run", "fallen"): TEXTS,
    ("evaluation.Result", "citations"): list[Cited],
    ("evaluation.Result", "passages"): list[Passage],
    ("evaluation.Result", "trace"): list[Step],
    ("evaluation.Result", "scores"): dict[str, Measure],
    ("evaluation.Result", "legs"): dict[str, dict[str, Measure]],
    ("evaluation.Result", "judged"): Nothing | Judged,
    ("tables.Cell", "pages"): PAGES,
    ("tables.Cell", "boxes"): BOXES,
    ("compliance.Requirement", "translations"): dict[str, Words],
    ("compliance.Check", "prices"): Prices,
    ("compliance.Check", "counts"): dict[str, Whole],
    ("compliance.Finding", "parts"): list[Part],
    ("compliance.Finding", "reply"): Nothing | Reply,
    ("compliance.Finding", "read"): NUMBERS,
    ("compliance.Evidence", "pages"): PAGES,
    ("compliance.Evidence", "boxes"): BOXES,
}
SHAPES: Mapping[tuple[str, str], TypeAdapter[Any]] = {
    where: TypeAdapter(shape) for where, shape in _COLUMNS.items()
}


def problem(shape: TypeAdapter[Any], written: str) -> str:
    """What is wrong in a column's JSON, for the end of a sentence; empty where nothing is."""
    try:
        shape.validate_json(written, strict=True)
    except PydanticError as error:
        place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
        return f"has another form than SVQ writes ({place[:100] or 'the whole'})"
    return ""
