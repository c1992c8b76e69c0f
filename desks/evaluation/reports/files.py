"""A run as a file to keep: CSV of its questions, JSON of everything, a readable page."""

import csv
import io
import json
from typing import Any

from citations.marks import numbered
from desks.evaluation.metrics.intervals import Comparison
from desks.evaluation.models import Result, Run
from desks.evaluation.reports.catalogue import ALL
from desks.evaluation.reports.comparison import compared
from desks.evaluation.reports.summary import summary_of
from localization.in_english import in_english
from text.tables.spreadsheets import inert

HEAD = ("question", "kind", "outcome", "answer", "reference", "seconds", "tokens", "money", "error")


def answer_of(result: Result) -> str:
    """Markdown with [n] where citation n stands."""
    return numbered(result.answer, [citation["quote"] for citation in result.citations])


def as_csv(run: Run) -> bytes:
    out = io.StringIO()
    names = [metric.name for metric in ALL]
    writer = csv.writer(out)
    writer.writerow([*HEAD, *names])
    for result in run.question_results.select_related("question").defer("passages", "trace"):
        asked = result.question
        told = [asked.text, asked.kind, result.outcome, answer_of(result), asked.reference]
        rest = [result.seconds, result.tokens, "" if result.money is None else result.money, result.error]
        scores = [result.scores.get(name, "") for name in names]
        writer.writerow([inert(value) for value in (*told, *rest, *scores)])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def as_json(run: Run, against: Run | None = None) -> bytes:
    told = compared(run, against)
    whole = summary_of(run).as_json() | {
        "results": [
            {
                "question": result.question.text,
                "kind": result.question.kind,
                "reference": result.question.reference,
                "outcome": result.outcome,
                "error": result.error,
                "answer": answer_of(result),
                "citations": result.citations,
                "passages": result.passages,
                "scores": result.scores,
                "legs": result.legs,
                "judged": result.judged,
                "seconds": result.seconds,
                "searches": result.searches,
                "tokens": result.tokens,
                "money": None if result.money is None else str(result.money),
            }
            for result in run.question_results.select_related("question")
        ]
    }
    if against:
        whole["against"] = {
            "run": against.number,
            "label": against.label,
            "better": told.count("better"),
            "same": told.count("same"),
            "worse": told.count("worse"),
            "tests": {
                kind: {name: _test(test) for name, test in some.items()} for kind, some in told.tests.items()
            },
        }
    return json.dumps(whole, indent=2, ensure_ascii=False, default=str).encode()


def _test(test: Comparison) -> dict[str, Any]:
    with in_english():  # a file for programs
        words = test.measured
    return {"words": words, "difference": test.difference, "p": test.p, "questions": test.n}
