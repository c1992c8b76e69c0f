"""A value for each JSON column of a bundle with something at each place, made by the code that writes the
column where that needs no database.
"""

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.forms.models import model_to_dict

from answering.unanswered import Search
from answering.values.events import Notice, Step
from chat.models import AnswerSettings
from chat.trace import TimedStep
from citations.checked import CheckedQuote
from citations.choices import OnPage, Support
from citations.opinion import Answers, Opinion, Says
from citations.support.outcome import Check
from citations.verdict import verdict_of
from datasources.models import Chunking
from desks.compliance.models import Verdict
from desks.evaluation.runs.answering import citation_json
from desks.evaluation.runs.judging import Judged, Statement
from formats.base.file_properties import FileProperties
from formats.base.layout import BlockLine, Bookmark, FilledIn, Layout, PrintedLine
from ingestion.chunks.cutting import Cutting
from providers.protocols import Usage
from providers.spending.prices import Prices

CITED = CheckedQuote(
    n=1,
    claim="So",
    quote="so",
    document_title="Lease",
    pages=[1],
    start=0,
    end=2,
    on_page=OnPage.EXACT,
    support=Support.SUPPORTED,
)
STEP: dict[str, Any] = {
    "id": "call-1",
    "label": "Search",
    "icon": "search",
    "text": "rent",
    "found": "8 hits",
}
TOTAL = {"document": 1, "title": "Lease", "passages": 2, "places": 3, "chunk": 1, "page": 1}
SOURCE = {
    "n": 1,
    "document": None,
    "pages": [2],
    "title": "Lease",
    "where": "page 2",
    "quote": "The rent is due.",
    "said": "on the page",
}
LAYOUT = Layout(
    bookmarks=(Bookmark(level=1, title="Rent", top=0.5), Bookmark(level=1, title="Term")),
    print=(PrintedLine(start=0, size=11.5, bold=True, level=1),),
    block_lines=(BlockLine(start=0, end=4, level=1),),
    rows=(BlockLine(start=0, end=4, table=1, is_head=True, row=1),),
    filled_in=(FilledIn(start=0, end=4, name="tenant"),),
)
FROZEN = {
    "mode": "agent",
    "answers": True,
    "graph": False,
    "legs": ["bm25", "dense"],
    "fusion": "weighted",
    "alpha": None,
    "near": 0.5,
    "rerank": "local",
    "model": "quotes",
    "quotes_only": True,
    "stages": model_to_dict(AnswerSettings(), exclude=["datasource"]),
    "embedder": "words",
    "judge": "",
    "chunking": asdict(Cutting(kind=Chunking.RECURSIVE, size=1000, overlap=100)),
    "documents": 1,
    "chunks": None,
    "prices": Prices(sent=Decimal("0.15"), written=Decimal(1)).as_json(),
    "judge_prices": Prices().as_json(),
}
BOXES = {"1": [[100, 100.5, 600, 120]]}
OPINION = Opinion(says=Says.SUPPORTS, model="judge", words="so", reason="It says so.", writer=True)

FILLED: Mapping[tuple[str, str], Any] = {
    ("datasources.Datasource", "scan_languages"): ["deu"],
    ("datasources.Datasource", "suggested_questions"): ["When does it end?"],
    ("datasources.Document", "metadata"): {"tags": ["lease"], "grade": {"given": 5}},
    ("datasources.Document", "file_properties"): FileProperties(
        title="Lease",
        author="Ada",
        created="2024-02-01",
        modified="2024-02-01T10:00:00",
        subject="Rent",
        sender="ada@example.org",
        recipients=("bob@example.org",),
        sent="2024-02-01T10:00:00+02:00",
    ).as_json(),
    ("datasources.Introduction", "questions"): [{"question": "When?", "documents": [1]}],
    ("datasources.Introduction", "documents"): [1],
    ("ingestion.Page", "layout"): LAYOUT.as_json(),
    ("ingestion.Table", "heads"): ["Year"],
    ("graph.EntityName", "spellings"): [["person", "Ada", ["person"], 3, 1]],
    ("research.Paper", "authors"): ["Ada"],
    ("research.Paper", "categories"): ["cs.CL"],
    ("chat.Note", "sources"): [SOURCE],
    ("memos.Memo", "sources"): [SOURCE],
    ("chat.Conversation", "document_ids"): [1],
    ("chat.Turn", "document_ids"): [1],
    ("chat.Turn", "earlier"): [{"role": "user", "content": "Hello"}],
    ("chat.Turn", "steps"): [{"tool": "search", "arguments": {"words": "rent"}, "hits": 8, "ms": 117}],
    ("chat.Turn", "trace"): [asdict(TimedStep(**STEP, start=0.5, ms=117, doing="Searching", tokens=5))],
    ("chat.Turn", "nearest"): [
        {"document": 1, "title": "Lease", "chunk": 1, "pages": [1], "text": "so", "score": 0.5}
    ],
    ("chat.Turn", "search"): asdict(
        Search(
            complete=True,
            words=("rent",),
            words_absent=("rent",),
            names_absent=("rent",),
            unread=1,
            searched=True,
            foreign="de",
        )
    ),
    ("chat.Turn", "usage"): asdict(Usage(prompt_tokens=5, completion_tokens=1)),
    ("chat.Turn", "follow_ups"): [{"question": "Who?", "document": 1}],
    ("chat.Turn", "notices"): [
        Notice(code="masked", text="Masked.").as_json(),
        Notice(code="count", text="3 in all.", documents=(TOTAL,)).as_json(),
    ],
    ("chat.Turn", "differ"): {
        "kind": "number",
        "sides": [{"citation": 1, "value": [0, 2], "of": 2}, {"citation": 2, "value": [0, 2], "of": 2}],
        "ranked_by": 1,
    },
    ("chat.Turn", "verdict"): verdict_of([CITED], 1, Answers.PARTLY).as_json(),
    ("chat.Citation", "pages"): [1],
    ("chat.Citation", "boxes"): BOXES,
    ("chat.Citation", "checks"): [
        Check(name="figures", passed=False, detail="No 5.", claimed="5", quoted="6").as_json()
    ],
    ("chat.Citation", "judge"): OPINION.as_json(),
    ("chat.Citation", "masked"): ["email"],
    ("evaluation.QuestionSet", "ordered"): {
        "single": 5,
        "multi": 1,
        "none": 1,
        "by_model": True,
        "token_budget": 1000,
    },
    ("evaluation.QuestionSet", "made"): {
        "single": {"ordered": 5, "made": 4, "left_out": {"the budget was used up": 1}}
    },
    ("evaluation.Run", "frozen"): FROZEN,
    ("evaluation.Run", "fallen"): ["Recall fell."],
    ("evaluation.Result", "citations"): [citation_json(CITED)],
    ("evaluation.Result", "passages"): [
        {
            "chunk": 1,
            "document": 1,
            "title": "Lease",
            "pages": [1],
            "start": 0,
            "end": 2,
            "gold": True,
            "used": False,
        }
    ],
    ("evaluation.Result", "trace"): [asdict(Step(**STEP, ms=117.5, doing="Searching"))],
    ("evaluation.Result", "scores"): {"relevance": 0.5},
    ("evaluation.Result", "legs"): {"fused": {"mrr": 1.0}},
    ("evaluation.Result", "judged"): Judged(
        model="judge",
        scores={"adherence": 1.0},
        statements=[Statement(text="So.", supported=True, reason="It says so.")],
    ).as_json(),
    ("tables.Cell", "pages"): [1],
    ("tables.Cell", "boxes"): BOXES,
    ("compliance.Requirement", "translations"): {"de": {"title": "Miete", "text": "Sie ist fällig."}},
    ("compliance.Check", "prices"): Prices(sent=Decimal("0.15"), written=Decimal(1)).as_json(),
    ("compliance.Check", "counts"): {"covered": 1, "unchecked": 2},
    ("compliance.Finding", "parts"): [
        {"text": "Rent", "verdict": Verdict.COVERED, "statement": "So", "reason": "It says so."}
    ],
    ("compliance.Finding", "reply"): {"answer": "{}"},
    ("compliance.Finding", "read"): [1],
    ("compliance.Evidence", "pages"): [1],
    ("compliance.Evidence", "boxes"): BOXES,
}
