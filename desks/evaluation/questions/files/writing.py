"""Question sets as files to take away: JSONL, CSV and BEIR."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from desks.evaluation.models import Question, QuestionSet
from desks.evaluation.questions.gold import gold_chunks, gold_of
from ingestion.models import Chunk
from text.tables.spreadsheets import escaped

COLUMNS = ("id", "kind", "question", "reference", "documents", "pages", "gold")


def rows_of(questions: Iterable[Question]) -> Iterator[dict[str, Any]]:
    """As JSONL has them."""
    for question in questions:
        yield {
            "id": str(question.key),
            "kind": question.kind,
            "question": question.text,
            "reference": question.reference,
            "gold": [
                {"document": gold.document_title, "quote": gold.quote, "page": gold.page, "piece": gold.piece}
                for gold in question.gold.all()
            ],
        }


def as_jsonl(question_set: QuestionSet) -> bytes:
    return b"".join(map(_line, rows_of(_current(question_set))))


def as_csv(question_set: QuestionSet) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row in rows_of(_current(question_set)):
        gold = row["gold"]
        titles = "; ".join(dict.fromkeys(each["document"] for each in gold))
        pages = "; ".join(str(each["page"]) for each in gold if each["page"])
        told = row | {"documents": titles, "pages": pages, "gold": json.dumps(gold, ensure_ascii=False)}
        writer.writerow({name: escaped(str(value)) for name, value in told.items()})
    return b"\xef\xbb\xbf" + out.getvalue().encode()  # so that Excel reads UTF-8


def as_beir(question_set: QuestionSet) -> bytes:
    """corpus.jsonl, queries.jsonl and qrels/test.tsv, as BEIR tools read them; chunks are the corpus."""
    chunks = Chunk.objects.filter(datasource=question_set.datasource_id).searchable()
    corpus = (
        {"_id": str(chunk.pk), "title": chunk.document.title, "text": chunk.text}
        for chunk in chunks.select_related("document").order_by("pk").iterator(chunk_size=500)
    )
    queries, qrels = [], ["query-id\tcorpus-id\tscore"]
    for question in _current(question_set):
        metadata = {"kind": question.kind, "reference": question.reference}
        queries.append({"_id": str(question.key), "text": question.text, "metadata": metadata})
        qrels += [f"{question.key}\t{pk}\t1" for pk in sorted(gold_chunks(gold_of(question)))]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("corpus.jsonl", "w") as file:  # row by row: it is as large as the datasource
            file.writelines(map(_line, corpus))
        archive.writestr("queries.jsonl", b"".join(map(_line, queries)))
        archive.writestr("qrels/test.tsv", "\n".join(qrels) + "\n")
    return out.getvalue()


def _line(row: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(row, ensure_ascii=False)}\n".encode()


def _current(question_set: QuestionSet) -> Iterable[Question]:
    return question_set.questions.current().accepted().prefetch_related("gold")


FORMS: dict[str, tuple[Callable[[QuestionSet], bytes], str, str]] = {
    "jsonl": (as_jsonl, "application/jsonl", "jsonl"),
    "csv": (as_csv, "text/csv; charset=utf-8", "csv"),
    "beir": (as_beir, "application/zip", "zip"),
}
