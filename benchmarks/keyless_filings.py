"""Answers without a language model on quarterly reports of several companies: when all are there, and when
those that answer are taken away. SVQ_BENCH_DATA names the collection; without it this part is left out.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path("docugami_10q/sec-10-q/data/v1/docs")
COMPANIES = {"AAPL": "Apple", "AMZN": "Amazon", "INTC": "Intel", "MSFT": "Microsoft", "NVDA": "NVIDIA"}
FIGURES = ("net income", "net revenue")


def measure(read: Callable[[str, Sequence[Path]], Any], ask: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Shares of questions; reports are named "2022 Q3 AAPL".

    right_report: the first quote is from the report asked about. The others count questions for which a quote
    is given although no report of that company, or of that quarter, is searched.
    """
    data = os.environ.get("SVQ_BENCH_DATA")
    paths = sorted((Path(data) / FOLDER).glob("*.pdf")) if data else []
    if not paths:
        return {}
    user, datasource = read("Filings", paths)
    ids = dict(datasource.documents.values_list("title", "pk"))
    right = without_company = without_quarter = asked = 0
    for title in sorted(ids):
        year, quarter, ticker = title.split()
        for figure in FIGURES:
            text = f"What was {COMPANIES[ticker]}'s {figure} in {quarter} {year}?"
            question = {"question": text, "expect": []}
            asked += 1
            right += ask(user, datasource, question)["documents"][:1] == [title]
            others = [pk for name, pk in ids.items() if not name.endswith(ticker)]
            given = ask(user, datasource, question, documents=others)
            without_company += _told(given, text, "no report of that company")
            others = [pk for name, pk in ids.items() if not name.startswith(f"{year} {quarter}")]
            given = ask(user, datasource, question, documents=others)
            without_quarter += _told(given, text, "no report of that quarter")
    return {
        "filings": {
            "the first quote is from the right report": f"{right}/{asked}",
            "that company's reports taken away: a quote is given": f"{without_company}/{asked}",
            "that quarter's reports taken away: a quote is given": f"{without_quarter}/{asked}",
        }
    }


def _told(answer: dict[str, Any], question: str, missing: str) -> bool:
    """Whether a quote is given; it is shown in the terminal, for a person to judge."""
    for title, quote in zip(answer["documents"][:1], answer["quotes"][:1], strict=True):
        print(f"{missing}: {question} -> {title}: {quote[:160]}")
    return bool(answer["quotes"])
