"""How long a document will still take, as people are told."""

from collections.abc import Iterable

import pytest

from datasources.models import Document, DocumentStatus
from ingestion.throughput import Throughput, as_words, seconds_left

EXTRACTING, EMBEDDING, LINKING = (
    DocumentStatus.EXTRACTING,
    DocumentStatus.EMBEDDING,
    DocumentStatus.LINKING,
)


def document(status: DocumentStatus, done: int, total: int, chunks: int = 0) -> Document:
    return Document(
        pk=1, status=status, stage_done=done, stage_total=total, page_count=10, chunk_count=chunks
    )


def throughput(
    own: float, status: DocumentStatus, *, slow: Iterable[str] = ("embed",), **usual: float
) -> Throughput:
    return Throughput(own={(1, status): own}, usual=usual, chunks_per_page=2.0, slow=frozenset(slow))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "5 s"),
        (1, "5 s"),
        (6, "10 s"),
        (55, "55 s"),
        (56, "1 min"),
        (60, "1 min"),
        (61, "2 min"),
        (89 * 60, "89 min"),
        (89 * 60 + 1, "2 h"),
        (2 * 3600, "2 h"),
        (2 * 3600 + 1, "3 h"),
    ],
)
def test_a_time_is_told_roundly_and_never_too_short(seconds: float, words: str) -> None:
    assert as_words(seconds) == words


def test_a_document_whose_speed_is_unknown_has_no_time() -> None:
    assert seconds_left(document(EMBEDDING, 1, 9), throughput(2.0, EXTRACTING)) is None


def test_the_time_of_ocr_is_told_before_the_first_page_was_read() -> None:
    scan = document(DocumentStatus.RECOGNISING, 0, 41)
    left = seconds_left(scan, throughput(2.0, EXTRACTING))
    assert left is not None
    assert as_words(left) == "4 min"


def test_the_present_stage_goes_on_at_the_documents_own_speed() -> None:
    assert seconds_left(document(EMBEDDING, 10, 30, chunks=30), throughput(4.0, EMBEDDING)) == 5.0


def test_chunks_that_are_not_cut_yet_are_reckoned_from_the_pages() -> None:
    left = seconds_left(document(EXTRACTING, 5, 10), throughput(1.0, EXTRACTING, embedding=10.0))
    assert left == 5 / 1.0 + 10 * 2.0 / 10.0


def test_a_step_that_takes_long_counts_or_leaves_the_time_unknown() -> None:
    reading, slow = document(EMBEDDING, 0, 20, chunks=20), ("embed", "graph")
    assert seconds_left(reading, throughput(10.0, EMBEDDING, slow=slow, linking=0.5)) == 2.0 + 40.0
    assert seconds_left(reading, throughput(10.0, EMBEDDING, slow=slow)) is None
    assert seconds_left(reading, throughput(10.0, EMBEDDING)) == 2.0


def test_the_last_step_waits_for_nothing_more() -> None:
    linking = document(LINKING, 10, 30, chunks=30)
    assert seconds_left(linking, throughput(4.0, LINKING, slow=("embed", "graph"))) == 5.0
