"""Question sets as files: JSONL, CSV and BEIR in and out. docs/reference/evaluation.md lists the columns."""

import csv
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError

from datasources.models import Datasource
from evaluation.models import Kind, Question, QuestionSet
from evaluation.questions.answer_pages import AnswerPages
from evaluation.questions.draft import Draft, Proof
from evaluation.questions.gold import gold_chunks, gold_of
from evaluation.questions.services import MOST_QUESTIONS, check_words
from ingestion.models import Chunk
from text.storable import storable

PASSAGES = "passages"  # template of questions whose gold is told by passages alone, as BEIR does
COLUMNS = ("id", "kind", "question", "reference", "documents", "pages", "gold")
MOST_BYTES = 50_000_000  # of the files in an archive, unpacked
FILES = ("corpus.jsonl", "queries.jsonl")  # of BEIR, beside qrels/
PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What a file can do wrong that is no zip, is cut off, damaged or locked.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError,
    RuntimeError,
)  # fmt: skip
# What others call the columns.
NAMES = {
    "question": ("question", "text", "query"),
    "reference": ("reference", "answer", "expected", "ground_truth", "expected answer"),
    "documents": ("documents", "document", "source docs", "source", "sources"),
    "kind": ("kind", "type", "question type"),
    "quotes": ("quotes", "quote", "contexts"),
    "pages": ("pages", "page"),
    "gold": ("gold",),
}
MOST_PLACES = 50  # that prove one question
MOST_PIECES = 100
MOST_PATTERNS = 200  # different ones in a file: each is held against every document
LONGEST_NAME = 300  # characters of a document's title or file name, or of a pattern
LONGEST_QUOTE = 50_000  # characters
_RISKY = ("=", "+", "-", "@", "\t", "\r", "'")  # at the start of a cell
_SINGLE = ("single", "one document", "1 document")
_MULTI = ("multi-doc", "multi_doc", "multi", "several", "comparison")
_NONE = ("none", "no-source", "no_source", "unanswerable", "null", "absent")


# --- out -------------------------------------------------------------------------------------------------
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
        writer.writerow({name: _safe(str(value)) for name, value in told.items()})
    return b"\xef\xbb\xbf" + out.getvalue().encode()  # so that Excel reads UTF-8


def _safe(value: str) -> str:
    """A spreadsheet must not take the words of a document for a formula."""
    return f"'{value}" if value[:1] in _RISKY else value


def _unsafe(value: Any) -> Any:
    """As it was before `_safe`."""
    marked = isinstance(value, str) and value[:1] == "'" and value[1:2] in _RISKY and value[1:2]
    return value[1:] if marked else value


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


# --- in --------------------------------------------------------------------------------------------------
def read(name: str, content: bytes, datasource: Datasource) -> list[Draft]:
    """The questions of a file, by its ending. Raises ValidationError, which names the line."""
    ending = name.rpartition(".")[2].lower()
    documents = _Documents(datasource)
    if ending == "zip":
        return _each_once(_read_beir(content, documents))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _wrong("The file is not UTF-8 text. Save it as UTF-8.") from error
    rows = _csv_rows(text) if ending in ("csv", "tsv") else _json_rows(text)
    drafts = [_draft(row, line, documents) for line, row in _bounded(rows)]
    if not drafts:
        raise _wrong("The file has no questions.")
    return _each_once(drafts)


def _bounded(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Raises ValidationError before a question is read that no set has room for."""
    for number, row in enumerate(rows):
        if number == MOST_QUESTIONS:
            raise _wrong(f"The file has more than {MOST_QUESTIONS:,} questions, which a set holds at most.")
        yield row


def _each_once(drafts: list[Draft]) -> list[Draft]:
    """Raises ValidationError where two have one id."""
    keys: set[UUID] = set()
    for draft in drafts:
        if draft.key in keys:
            raise _wrong(f"The id {draft.key} stands there twice.")
        keys |= {draft.key} if draft.key else set()
    return drafts


def _wrong(message: str) -> ValidationError:
    return ValidationError(f"{message} Nothing was imported.", code="unreadable")


def _csv_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    first = text.lstrip().partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",\t;", key=first.count), strict=True)
    try:
        names = [name.strip().lower() for name in reader.fieldnames or ()]
        if names and not set(names) & set(NAMES["question"]):
            raise _wrong(f"The first line names no column “question”, but: {', '.join(names)[:200]}.")
        for row in reader:
            if not any(row.values()):  # as spreadsheets leave them at the end
                continue
            told = {str(key or "").strip().lower(): _unsafe(value) for key, value in row.items()}
            yield reader.line_num, _plain(told, reader.line_num)
    except csv.Error as error:
        raise _wrong(f"Line {reader.line_num} is not CSV ({error}).") from error


def _json_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            row = json.loads(written)
        except (ValueError, RecursionError) as error:
            raise _wrong(f"Line {line} is not JSON.") from error
        if not isinstance(row, dict):
            raise _wrong(f"Line {line} is not a JSON object.")
        yield line, _plain({str(key).lower(): value for key, value in row.items()}, line)


def _plain(row: dict[str, Any], line: int) -> dict[str, Any]:
    """Raises ValidationError for what no text has."""
    _check_text(row, line)
    return row


def _check_text(value: Any, line: int) -> None:
    """Raises ValidationError."""
    try:
        is_text = storable(value) == value
    except RecursionError as error:
        raise _wrong(f"Line {line} has too many lists within lists.") from error
    if not is_text:
        raise _wrong(f"Line {line} has characters that are no text (NUL, or half of one).")


def _draft(row: Mapping[str, Any], line: int, documents: "_Documents") -> Draft:
    written = _of(row, "question")
    if isinstance(written, list | dict):
        raise _wrong(f"The question of line {line} is no text.")
    text = str(written or "").strip()
    if not text:
        raise _wrong(f"Line {line} has no question.")
    reference = str(_of(row, "reference") or "").strip()
    try:
        check_words(text, reference)
    except ValidationError as refusal:
        raise _wrong(f"Line {line}: {refusal.messages[0]}") from refusal
    proofs = _proofs(row, line, documents)
    return Draft(
        kind=_kind(row, proofs, line),
        text=text,
        reference=reference,
        proofs=tuple(placed for proof in proofs for placed in documents.on_pages(proof, reference)),
        template="import",
        key=_key(row.get("id")),
    )


def _key(written: Any) -> UUID | None:
    """Of a question that SVQ has exported; ids of others tell nothing."""
    try:
        return UUID(str(written or ""))
    except ValueError:
        return None


def _of(row: Mapping[str, Any], column: str) -> Any:
    return next((row[name] for name in NAMES[column] if row.get(name) not in (None, "")), None)


def _kind(row: Mapping[str, Any], proofs: Sequence[Proof], line: int) -> Kind:
    """As it is told; untold, by how many documents prove the answer. Raises ValidationError."""
    told = str(_of(row, "kind") or "").strip().lower()
    documents = {proof.document_id or proof.title for proof in proofs}
    for kind, words in ((Kind.NONE, _NONE), (Kind.SINGLE, _SINGLE), (Kind.MULTI, _MULTI)):
        if any(told.startswith(word) for word in words):
            if kind == Kind.NONE and documents:
                raise _wrong(f"Line {line} is a no-source question, and names documents that answer it.")
            return kind
    return Kind.MULTI if len(documents) > 1 else Kind.SINGLE if documents else Kind.NONE


def _proofs(row: Mapping[str, Any], line: int, documents: "_Documents") -> list[Proof]:
    gold = _of(row, "gold")
    if isinstance(gold, str):
        try:
            gold = json.loads(gold)
        except (ValueError, RecursionError) as error:
            raise _wrong(f"The gold of line {line} is not JSON.") from error
        _check_text(gold, line)  # JSON writes with escapes what the cell itself has not
    if gold:
        if not isinstance(gold, list) or not all(isinstance(each, dict) for each in gold):
            raise _wrong(f"The gold of line {line} is not a list of objects.")
        placed: list[Proof] = []
        for each in gold:
            placed += documents.proofs(each, _number(each.get("piece")) or 0)
            _check(placed, line)
        return placed
    titles = _list(_of(row, "documents"))
    quotes, pages = _list(_of(row, "quotes"), split=False), _list(_of(row, "pages"))
    found: list[Proof] = []
    for place in range(max(len(titles), len(quotes))):
        title = titles[min(place, len(titles) - 1)] if titles else ""
        each = {
            "document": title,
            "quote": quotes[place] if place < len(quotes) else "",
            "page": pages[place] if place < len(pages) else None,
        }
        found += documents.proofs(each, found[-1].piece + 1 if found else 0)
        _check(found, line)
    return found


def _check(proofs: Sequence[Proof], line: int) -> None:
    """Raises ValidationError."""
    if len(proofs) > MOST_PLACES:
        raise _wrong(f"Line {line} names more than {MOST_PLACES} places that prove it.")
    last = proofs[-1] if proofs else None
    if last and (last.piece >= MOST_PIECES or last.page == 0):
        raise _wrong(f"Line {line} has a page 0, or a piece above {MOST_PIECES - 1}.")
    if last and len(last.quote) > LONGEST_QUOTE:
        raise _wrong(f"Line {line} has a quote of more than {LONGEST_QUOTE:,} characters.")


def _list(value: Any, *, split: bool = True) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list | dict):
        return [str(each) for each in value]
    return [each for part in str(value).split(";") if (each := part.strip())] if split else [str(value)]


def _number(value: Any) -> int | None:
    text = str(value).strip() if value is not None else ""
    return int(text) if text.isdecimal() and len(text) < 7 else None


class _Documents:
    """Finds documents by title or file name, also by a pattern such as *AAPL*."""

    def __init__(self, datasource: Datasource) -> None:
        rows = datasource.documents.current().order_by("pk").values_list("pk", "title", "filename")
        self._known = [
            (pk, title, {title.lower(), name.lower(), _stem(name.lower())}) for pk, title, name in rows
        ]
        self._by_name = {name: (pk, title) for pk, title, names in reversed(self._known) for name in names}
        self._by_pattern: dict[str, list[tuple[int, str]]] = {}
        self._pages = AnswerPages()

    def proofs(self, each: Mapping[str, Any], piece: int) -> list[Proof]:
        """One for a document that is named; for a pattern, each document is a piece of its own."""
        written = str(each.get("document") or "").strip()
        quote = str(each.get("quote") or "").strip()
        named = self._matching(written)
        is_pattern = len(named) > 1
        return [
            Proof(
                document_id=pk, title=title, quote=quote, page=_number(each.get("page")),
                piece=piece + place if is_pattern else piece,
            )
            for place, (pk, title) in enumerate(named)
        ] or self._unknown(written, quote, piece)  # fmt: skip

    def on_pages(self, proof: Proof, answer: str) -> list[Proof]:
        """Where a document alone is named, the pages that have the figures of the answer; any of them will
        do.
        """
        if proof.quote or proof.page is not None or proof.document_id is None:
            return [proof]
        pages = self._pages.of(proof.document_id, answer)
        return [replace(proof, page=page) for page in pages] or [proof]

    @staticmethod
    def _unknown(written: str, quote: str, piece: int) -> list[Proof]:
        """It is kept, and stale until there is such a document."""
        return [Proof(document_id=None, title=written[:300], quote=quote, piece=piece)] if written else []

    def _matching(self, written: str) -> list[tuple[int, str]]:
        """Raises ValidationError."""
        told = written.lower()
        exact = self._by_name.get(told) or self._by_name.get(_stem(told))
        if exact or len(told) > LONGEST_NAME or not any(sign in told for sign in "*?"):
            return [exact] if exact else []
        if told not in self._by_pattern:
            if len(self._by_pattern) == MOST_PATTERNS:
                raise _wrong(f"The file has more than {MOST_PATTERNS} different patterns with * or ?.")
            self._by_pattern[told] = [
                (pk, title)
                for pk, title, names in self._known
                if any(fnmatchcase(name, told) for name in names)
            ]
        return self._by_pattern[told]


def _stem(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return stem if dot and len(ending) <= 5 else name


def _read_beir(content: bytes, documents: _Documents) -> list[Draft]:
    """Each gold text becomes a quote of the document that its title names."""
    files = _unpacked(content)
    texts = {str(row.get("_id")): row for _, row in _json_rows(files.get("corpus.jsonl", ""))}
    gold: dict[str, list[Proof]] = {}
    qrels = (text for name, text in files.items() if name.startswith("qrels/"))  # train, dev and test
    for line, judged in enumerate("\n".join(qrels).splitlines(), start=1):
        parts = judged.split()
        if len(parts) == 4:  # TREC: query 0 document relevance
            parts = [parts[0], parts[2], parts[3]]
        if len(parts) == 3 and (_number(parts[2]) or 0) > 0 and parts[1] in texts:
            row, known = texts[parts[1]], gold.setdefault(parts[0], [])
            known += documents.proofs({"document": row.get("title"), "quote": row.get("text")}, len(known))
            _check(known, line)
    drafts = []
    for line, row in _bounded(_json_rows(files.get("queries.jsonl", ""))):
        metadata = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
        proofs = gold.get(str(row.get("_id")), [])
        told = {"question": row.get("text"), **{str(k).lower(): v for k, v in (metadata or {}).items()}}
        draft = _draft(told, line, documents)
        drafts.append(
            Draft(
                kind=_kind(told, proofs, line), text=draft.text, reference=draft.reference,
                proofs=tuple(proofs), template=PASSAGES, key=_key(row.get("_id")),
            )
        )  # fmt: skip
    if not drafts:
        raise _wrong("The archive has no queries.jsonl with questions.")
    return drafts


def _unpacked(content: bytes) -> dict[str, str]:
    """The files that BEIR has, by their names. Raises ValidationError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            named = {_below(each.filename): each for each in archive.infolist() if not each.is_dir()}
            told = {name: each for name, each in named.items() if name in FILES or name.startswith("qrels/")}
            if sum(each.file_size for each in told.values()) > MOST_BYTES:
                raise _wrong(f"The archive has more than {MOST_BYTES // 1_000_000} MB.")
            if any(each.compress_type not in PACKED_AS for each in told.values()):
                raise _wrong("The archive is packed in an unusual way. Pack it as an ordinary zip.")
            return {name: archive.read(each).decode("utf-8-sig") for name, each in told.items()}
    except UNREADABLE as error:
        raise _wrong("The archive cannot be read.") from error


def _below(name: str) -> str:
    """The name without the one folder that archives often have around all."""
    parts = name.split("/")
    inner = parts[-2:] if len(parts) > 1 and parts[-2] == "qrels" else parts[-1:]
    return "/".join(inner)
