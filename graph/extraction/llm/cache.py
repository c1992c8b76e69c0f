"""The model's answers by content, prompt and model: looked up, and dropped with the last such content."""

import hashlib
from collections.abc import Iterable, Sequence

from graph.models import CachedExtraction
from graph.sql import query
from sql import rows
from sql.locks import hold

LOCK = 0x6773  # the class of advisory locks of the one lock that all answers share


def lock() -> None:
    """Keep answers from being dropped by others until the transaction ends, or from being tied to chunks."""
    hold(LOCK)


def content_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def cached(texts: Iterable[str], prompt: str, model: str) -> dict[str, CachedExtraction]:
    """The answers that are there, by content hash."""
    wanted = {content_hash(text) for text in texts}
    found = CachedExtraction.objects.filter(content__in=wanted, prompt=prompt, model=model)
    return {answer.content: answer for answer in found}


def keep(answers: Sequence[CachedExtraction]) -> dict[str, CachedExtraction]:
    """Store answers to one prompt of one model; gives them by content hash, as stored first."""
    if not answers:
        return {}
    CachedExtraction.objects.bulk_create(answers, ignore_conflicts=True)
    stored = CachedExtraction.objects.filter(
        content__in=[answer.content for answer in answers], prompt=answers[0].prompt, model=answers[0].model
    )
    return {answer.content: answer for answer in stored}


def of_chunks(ids: Iterable[int]) -> set[int]:
    """The answers that these chunks are tied to."""
    return {answer for (answer,) in query("answers_of_chunks", chunks=list(ids))}


def drop_unused(ids: Iterable[int]) -> None:
    """Delete those of these answers that no chunk is tied to any more."""
    if answers := list(ids):
        query("drop_unused_answers", answers=answers)


def release(document_ids: Sequence[int]) -> None:
    """Forget what was read in these documents, and the answers that are about no other chunk."""
    _release("document_id = ANY(%s)", list(document_ids))


def drop(datasource_id: int) -> None:
    """The same for a whole datasource."""
    _release("datasource_id = %s", datasource_id)


def _release(condition: str, value: object) -> None:
    lock()
    gone = rows("DELETE FROM graph_chunkextraction WHERE " + condition + " RETURNING cached_id", value)
    drop_unused({answer for (answer,) in gone if answer})
