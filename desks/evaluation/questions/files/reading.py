"""Uploaded files of questions become drafts: what each row asks, of which kind it is, and what proves it.

docs/reference/evaluation.md lists the columns.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from datasources.models import Datasource
from desks.evaluation.models import Kind
from desks.evaluation.questions.draft import PASSAGES, Draft, Proof
from desks.evaluation.questions.files.named_documents import NamedDocuments
from desks.evaluation.questions.files.rows import (
    Rows,
    check_text,
    csv_rows,
    json_rows,
    number_of,
    unpacked,
    wrong,
)
from desks.evaluation.questions.services import MOST_QUESTIONS, check_words

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
LONGEST_QUOTE = 50_000  # characters
_SINGLE = ("single", "one document", "1 document")
_MULTI = ("multi-doc", "multi_doc", "multi", "several", "comparison")
_NONE = ("none", "no-source", "no_source", "unanswerable", "null", "absent")


def read(name: str, content: bytes, datasource: Datasource) -> list[Draft]:
    """The questions of a file, by its ending. Raises ValidationError, which names the line."""
    ending = name.rpartition(".")[2].lower()
    documents = NamedDocuments(datasource)
    if ending == "zip":
        return _each_once(_read_beir(content, documents))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(gettext("The file is not UTF-8 text. Save it as UTF-8.")) from error
    rows = csv_rows(text, NAMES["question"]) if ending in ("csv", "tsv") else json_rows(text)
    drafts = [_draft(row, line, documents) for line, row in _bounded(rows)]
    if not drafts:
        raise wrong(gettext("The file has no questions."))
    return _each_once(drafts)


def _bounded(rows: Rows) -> Rows:
    """Raises ValidationError before a question is read that no set has room for."""
    for number, row in enumerate(rows):
        if number == MOST_QUESTIONS:
            raise wrong(
                gettext(
                    "The file has more than {most_questions} questions, which a set holds at most."
                ).format(most_questions=f"{MOST_QUESTIONS:,}")
            )
        yield row


def _each_once(drafts: list[Draft]) -> list[Draft]:
    """Raises ValidationError where two have one id."""
    keys: set[UUID] = set()
    for draft in drafts:
        if draft.key in keys:
            raise wrong(gettext("The id {key} is there twice.").format(key=draft.key))
        keys |= {draft.key} if draft.key else set()
    return drafts


def _draft(row: Mapping[str, Any], line: int, documents: NamedDocuments) -> Draft:
    written = _of(row, "question")
    if isinstance(written, list | dict):
        raise wrong(gettext("The question of line {line} is not text.").format(line=line))
    text = str(written or "").strip()
    if not text:
        raise wrong(gettext("Line {line} has no question.").format(line=line))
    reference = str(_of(row, "reference") or "").strip()
    try:
        check_words(text, reference)
    except ValidationError as refusal:
        raise wrong(
            gettext("Line {line}: {messages}").format(line=line, messages=refusal.messages[0])
        ) from refusal
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
                raise wrong(
                    gettext(
                        "Line {line} is a no-source question, and names documents that answer it."
                    ).format(line=line)
                )
            return kind
    return Kind.MULTI if len(documents) > 1 else Kind.SINGLE if documents else Kind.NONE


def _proofs(row: Mapping[str, Any], line: int, documents: NamedDocuments) -> list[Proof]:
    gold = _of(row, "gold")
    if isinstance(gold, str):
        try:
            gold = json.loads(gold)
        except (ValueError, RecursionError) as error:
            raise wrong(gettext("The gold of line {line} is not JSON.").format(line=line)) from error
        check_text(gold, line)  # JSON writes with escapes what the cell itself has not
    if gold:
        if not isinstance(gold, list) or not all(isinstance(each, dict) for each in gold):
            raise wrong(gettext("The gold of line {line} is not a list of objects.").format(line=line))
        placed: list[Proof] = []
        for each in gold:
            placed += documents.proofs(each, number_of(each.get("piece")) or 0)
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
        raise wrong(
            gettext("Line {line} names more than {most_places} places that prove it.").format(
                line=line, most_places=MOST_PLACES
            )
        )
    last = proofs[-1] if proofs else None
    if last and (last.piece >= MOST_PIECES or last.page == 0):
        raise wrong(
            gettext("Line {line} has a page 0, or a piece above {most_pieces}.").format(
                line=line, most_pieces=MOST_PIECES - 1
            )
        )
    if last and len(last.quote) > LONGEST_QUOTE:
        raise wrong(
            gettext("Line {line} has a quote of more than {longest_quote} characters.").format(
                line=line, longest_quote=f"{LONGEST_QUOTE:,}"
            )
        )


def _list(value: Any, *, split: bool = True) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list | dict):
        return [str(each) for each in value]
    return [each for part in str(value).split(";") if (each := part.strip())] if split else [str(value)]


def _read_beir(content: bytes, documents: NamedDocuments) -> list[Draft]:
    """Each gold text becomes a quote of the document that its title names."""
    files = unpacked(content)
    texts = {str(row.get("_id")): row for _, row in json_rows(files.get("corpus.jsonl", ""))}
    gold: dict[str, list[Proof]] = {}
    qrels = (text for name, text in files.items() if name.startswith("qrels/"))  # train, dev and test
    for line, judged in enumerate("\n".join(qrels).splitlines(), start=1):
        parts = judged.split()
        if len(parts) == 4:  # TREC: query 0 document relevance
            parts = [parts[0], parts[2], parts[3]]
        if len(parts) == 3 and (number_of(parts[2]) or 0) > 0 and parts[1] in texts:
            row, known = texts[parts[1]], gold.setdefault(parts[0], [])
            known += documents.proofs({"document": row.get("title"), "quote": row.get("text")}, len(known))
            _check(known, line)
    drafts = []
    for line, row in _bounded(json_rows(files.get("queries.jsonl", ""))):
        metadata = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
        proofs = gold.get(str(row.get("_id")), [])
        told = {"question": row.get("text"), **{str(k).lower(): v for k, v in (metadata or {}).items()}}
        draft = _draft(told, line, documents)
        drafts.append(
            Draft(
                kind=_kind(told, proofs, line),
                text=draft.text,
                reference=draft.reference,
                proofs=tuple(proofs),
                template=PASSAGES,
                key=_key(row.get("_id")),
            )
        )
    if not drafts:
        raise wrong(gettext("The archive has no queries.jsonl with questions."))
    return drafts
