"""Files of ready passages that are too much: refused with line, size and limit, and nothing is stored."""

import io
import json
from typing import Any, BinaryIO

import pytest
from django.core.exceptions import ValidationError

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from ingestion.adding.upload import accept_upload

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = json.dumps({"title": "Ada", "text": "She wrote the first program."}).encode() + b"\n"


class LongLine(io.RawIOBase):
    """A good line, then one of `size` bytes made while it is read: it needs no disk and no memory."""

    def __init__(self, size: int) -> None:
        self.head = GOOD + b'{"title": "x", "text": "'
        self.length = len(GOOD) + size
        self.place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.place = offset + {0: 0, 1: self.place, 2: self.length}[whence]
        return self.place

    def tell(self) -> int:
        return self.place

    def readinto(self, buffer: Any) -> int:
        count = min(len(buffer), self.length - self.place)
        head = self.head[self.place : self.place + count]
        buffer[:count] = head + b"a" * (count - len(head))
        self.place += count
        return count


def refusal(datasource: Datasource, user: User, file: BinaryIO) -> str:
    with pytest.raises(ValidationError) as refused:
        accept_upload(datasource, user, "p.jsonl", file)
    assert not datasource.documents.exists()
    return str(refused.value.messages[0])


def test_a_line_of_100_megabytes_is_named_with_its_size(contracts: Datasource, alice: User) -> None:
    said = refusal(contracts, alice, io.BufferedReader(LongLine(100 * 2**20)))
    assert said.startswith("Line 2 of “p.jsonl” has 104,857,600 bytes; a passage may have 1,048,576.")
    assert "Nothing was stored" in said


def test_a_passage_over_the_limit_is_named(contracts: Datasource, alice: User) -> None:
    line = json.dumps({"title": "", "text": "word " * 12_000}).encode()
    said = refusal(contracts, alice, io.BytesIO(GOOD + line))
    assert said.startswith("Line 2 of “p.jsonl” has 59,999 characters; a passage may have 50,000.")


def test_too_many_passages_are_refused(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.MAX_PASSAGES = 10
    lines = [json.dumps({"title": f"{n}", "text": f"Fact {n}."}) for n in range(11)]
    said = refusal(contracts, alice, io.BytesIO("\n".join(lines).encode()))
    assert said.startswith("“p.jsonl” has more than 10 passages.")


@pytest.mark.parametrize(
    "line",
    [
        b'{"title": "a", "text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 100_000,
        b'{"title": "a", "text": "half \\ud800 of it"}',
        b'{"title": "a", "text": "' + b"\xff\xfe" + b'"}',
        b'{"title": "a", "text": ' + b"9" * 5_000 + b"}",
    ],
    ids=["deep", "unclosed", "surrogate", "no utf-8", "digits"],
)
def test_json_that_breaks_parsers_is_a_bad_line(contracts: Datasource, alice: User, line: bytes) -> None:
    said = refusal(contracts, alice, io.BytesIO(GOOD + line))
    assert said.startswith("Line 2 of “p.jsonl” is not a JSON object")


def test_long_passages_within_the_limit_are_read(contracts: Datasource, alice: User, work: Any) -> None:
    texts = ["word " * 9_000, "w" * 49_000, "\u6c34" * 49_000, "A. B. " * 8_000]
    lines = [json.dumps({"title": "", "text": text}) for text in texts]
    accept_upload(contracts, alice, "p.jsonl", io.BytesIO("\n".join(lines).encode()))
    work()
    assert set(contracts.documents.values_list("status", flat=True)) == {DocumentStatus.READY}
    assert contracts.chunks.order_by("pk").first().token_count == 9_000  # type: ignore[union-attr]
