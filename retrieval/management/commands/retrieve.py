"""manage.py retrieve DATASOURCE "QUERY": what the engine finds, and why, as one JSON line a query."""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from datasources.lookup import datasource_named, user_named
from datasources.models import Datasource
from datasources.numbers import number_in, share, whole
from providers.embedders import embedder
from providers.protocols import ProviderError
from retrieval.engine import HYBRID, Filters, Fusion, Leg, Query, Rerank, Result, Scope, retrieve
from retrieval.filter_values import KEYS, BadFilter, filters_of, pairs

NAIVE = frozenset({Leg.DENSE})
MOST = 200  # passages of one query


class Command(BaseCommand):
    help = "Search a datasource with the engine that answers use; one JSON line a query."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", help="its name or number")
        parser.add_argument("query", nargs="?", help="what to search for")
        parser.add_argument(
            "--queries",
            metavar="FILE",
            help='.jsonl of {"query": ...} and any of k, documents, filters',
        )
        parser.add_argument("--user", help="e-mail of the account; the first administrator if unset")
        parser.add_argument("--k", type=whole(1, MOST), default=10, help="passages a query")
        parser.add_argument(
            "--engine", choices=("advanced", "naive"), default="advanced", help="naive: vectors alone"
        )
        parser.add_argument("--legs", help=f"with commas: {', '.join(Leg)}")
        parser.add_argument("--fusion", choices=tuple(map(str, Fusion)), default=str(Fusion.WEIGHTED))
        parser.add_argument(
            "--alpha", type=share, help="share of meaning beside words, 0 to 1; else told by each question"
        )
        parser.add_argument("--graph", choices=("on", "off"), help="with the graph or without")
        parser.add_argument(
            "--expand", action="store_true", help="search in three other wordings of the model too"
        )
        parser.add_argument("--rerank", choices=tuple(map(str, Rerank)), default=str(Rerank.NONE))
        parser.add_argument("--min-similarity", type=share, default=0.0, help="least cosine, 0 to 1")
        parser.add_argument("--min-score", type=share, default=0.0, help="least fused score, 0 to 1")
        parser.add_argument("--documents", nargs="+", help="titles or numbers of the documents to search")
        parser.add_argument("--filters", nargs="+", default=[], metavar="KEY=VALUE", help=f"keys: {KEYS}")
        parser.add_argument("--json", action="store_true", help="JSON lines in a terminal too")

    def handle(self, *, datasource: str, query: str | None, queries: str | None, **options: Any) -> None:
        if (query is None) == (queries is None):
            raise CommandError("Give either a query in quotation marks or --queries FILE.jsonl.")
        person = user_named(options["user"])
        searched = datasource_named(person, datasource)
        if searched is None:
            raise CommandError(f"{person} has no datasource called “{datasource}”.")
        asked = _asked(options)
        rows: Iterator[Mapping[str, Any]] = iter([{"query": query}]) if query else _rows(str(queries))
        as_json = options["json"] or not self.stdout.isatty()
        for row in rows:
            report = _ask(person, searched, asked, options["documents"], row)
            self.stdout.write(json.dumps(report, ensure_ascii=False) if as_json else readable(report))


def _asked(options: Mapping[str, Any]) -> Query:
    """The query that all lines share. Raises CommandError."""
    legs = NAIVE if options["engine"] == "naive" else HYBRID
    if options["legs"]:
        names = [name.strip().lower() for name in options["legs"].split(",") if name.strip()]
        unknown = [name for name in names if name not in set(Leg)]
        if unknown or not names:
            raise CommandError(f"There is no leg “{', '.join(unknown)}”. Legs are {', '.join(Leg)}.")
        legs = frozenset(map(Leg, names))
    if options["graph"]:
        legs = legs | {Leg.GRAPH} if options["graph"] == "on" else legs - {Leg.GRAPH}
    if not legs:
        raise CommandError("No leg is left to search by.")
    return Query(
        text="",
        k=_k(options["k"]),
        legs=legs,
        fusion=Fusion(options["fusion"]),
        alpha=options["alpha"],
        filters=_filters(options["filters"]),
        rerank=Rerank(options["rerank"]),
        expand=options["expand"],
        min_similarity=options["min_similarity"],
        min_score=options["min_score"],
    )


def _k(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
        raise CommandError(f"k must be a number from 1 to {MOST}, not “{value}”.")
    return value


def _filters(given: Any) -> Filters:
    try:
        return filters_of(given if isinstance(given, Mapping) else pairs(given))
    except BadFilter as error:
        raise CommandError(str(error)) from error


def _rows(name: str) -> Iterator[Mapping[str, Any]]:
    """The queries of a file, read as they are asked; "-" is the standard input. Raises CommandError."""
    with _opened(name) as file:
        for number, line in enumerate(_lines(file, name), start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise CommandError(f"Line {number} of {name} is not JSON: {error}.") from error
            row = {"query": row} if isinstance(row, str) else row
            if not isinstance(row, dict) or not isinstance(row.get("query", row.get("question")), str):
                raise CommandError(f"Line {number} of {name} has no “query”.")
            yield row


def _opened(name: str) -> AbstractContextManager[TextIO]:
    if name == "-":
        return nullcontext(sys.stdin)
    try:
        return Path(name).open(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from error


def _lines(file: TextIO, name: str) -> Iterator[str]:
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is not UTF-8 text.") from error


def _ask(
    person: User, datasource: Datasource, query: Query, documents: list[str] | None, row: Mapping[str, Any]
) -> dict[str, Any]:
    text = row.get("query", row.get("question"))
    named = row.get("documents", documents)
    scope = Scope(
        user_id=person.pk,
        datasource_id=datasource.pk,
        document_ids=None if named is None else _numbers_of(datasource, named),
    )
    query = replace(query, text=text, k=_k(row.get("k", query.k)))
    if "filters" in row:
        query = replace(query, filters=_filters(row["filters"]))
    started = time.perf_counter()
    try:
        result = retrieve(query, scope, embedder(datasource))
    except ProviderError as error:
        raise CommandError(error.message) from error
    return report_of(text, result, 1000 * (time.perf_counter() - started))


def _numbers_of(datasource: Datasource, named: Any) -> frozenset[int]:
    """Of documents told by title, file name or number. Raises CommandError."""
    found: set[int] = set()
    for name in map(str, named if isinstance(named, list) else [named]):
        documents = datasource.documents.ready()
        some = set(documents.filter(title__iexact=name).values_list("pk", flat=True))
        some = some or set(documents.filter(filename__iexact=name).values_list("pk", flat=True))
        if not some and (number := number_in(name)):
            some = set(documents.filter(pk=number).values_list("pk", flat=True))
        if not some:
            raise CommandError(f"“{datasource}” has no document “{name}” that can be searched.")
        found |= some
    return frozenset(found)


def report_of(text: str, result: Result, milliseconds: float) -> dict[str, Any]:
    """The documented shape of a line."""
    return {
        "query": text,
        "results": [
            {
                "document": passage.document_id,
                "title": passage.document_title,
                "pages": list(range(passage.first_page, passage.last_page + 1)),
                "chunk": passage.chunk_id,
                "index": passage.chunk_index,
                "score": passage.score,
                "legs": {str(leg): asdict(told) for leg, told in passage.legs.items()},
                "facts": [asdict(fact) for fact in passage.facts],
                "text": passage.text,
            }
            for passage in result.evidence
        ],
        "candidates": result.candidates,
        "weights": {str(leg): weight for leg, weight in result.weights.items()},
        "foreign": result.foreign,
        "reranked": result.reranked,
        "rerank_failed": result.rerank_failed,
        "wordings": result.wordings,
        "expand_failed": result.expand_failed,
        "milliseconds": {**result.milliseconds, "total": round(milliseconds, 3)},
    }


def readable(report: Mapping[str, Any]) -> str:
    """The same for a person."""
    lines = [f"{report['query']}  ({report['milliseconds']['total']:.0f} ms)"]
    lines += [f"     also: {wording}" for wording in report["wordings"]]
    lines += filter(None, [report["expand_failed"], report["rerank_failed"]])
    for rank, row in enumerate(report["results"], start=1):
        pages = ", ".join(map(str, row["pages"]))
        told = row["legs"].items()
        legs = ", ".join(f"{leg} {one['score']:.2f} (no. {one['rank']})" for leg, one in told)
        lines += [
            f"{rank:>3}. {row['score']:.3f}  {row['title']}, p. {pages}  [{legs}]",
            f"     {' '.join(row['text'].split())[:160]}",
        ]
    return "\n".join(lines)
