"""From JSON to values: what is missing or of another type is told, and the server has every field."""

import pickle
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from rest_framework.serializers import BaseSerializer

from chat.api import serializers as of_chat
from datasources.api.views import DatasourceSerializer
from ingestion.api.deletions import DeletionSerializer
from ingestion.api.serializers import (
    ChunkSerializer,
    DocumentSerializer,
    ErrorSerializer,
    UploadedSerializer,
)
from svq_client import (
    Answer,
    Chunk,
    Citation,
    CitedDocument,
    Datasource,
    Deletion,
    Document,
    Fault,
    Notice,
    SvqError,
    Upload,
    Verdict,
    calls,
)
from svq_client.reading import read
from svq_client.replies import refusal
from svq_client.values import READ_TO_THE_END, UNFINISHED
from tests.svq_client.answers import DATASOURCE, DOCUMENT, TURN, reply


@pytest.mark.parametrize(
    ("kind", "serializer", "own"),
    [
        (Datasource, DatasourceSerializer, set()),
        (Document, DocumentSerializer, set()),
        (Upload, UploadedSerializer, set()),
        (Deletion, DeletionSerializer, set()),
        (Chunk, ChunkSerializer, set()),
        (Fault, ErrorSerializer, set()),
        (Answer, of_chat.TurnSerializer, {"text"}),
        (Citation, of_chat.CitationSerializer, {"turn"}),
        (CitedDocument, of_chat.CitedDocumentSerializer, set()),
        (Verdict, of_chat.AnswerVerdictSerializer, set()),
        (Notice, of_chat.NoticeSerializer, set()),
    ],
)
def test_the_server_has_each_field(
    kind: type[Any], serializer: type[BaseSerializer[Any]], own: set[str]
) -> None:
    named = set(serializer().fields)  # type: ignore[attr-defined]
    assert {field.name for field in fields(kind)} - own <= named


def test_the_states_that_end_are_those_of_the_server() -> None:
    from chat.models import UNFINISHED as OF_TURNS
    from datasources.models.documents import SETTLED

    assert set(READ_TO_THE_END) == set(SETTLED)
    assert set(UNFINISHED) == set(OF_TURNS)


def test_times_numbers_and_objects_within_are_read() -> None:
    found = read(Datasource, DATASOURCE)
    assert (found.created.microsecond, found.suggested_questions) == (500_000, ())
    document = read(Document, DOCUMENT)
    assert (document.progress.total, document.page_count, document.error) == (2, None, None)
    assert document.is_settled
    with pytest.raises(FrozenInstanceError):
        document.title = "Another"  # type: ignore[misc]


@pytest.mark.parametrize(
    "change",
    [
        {"id": "12"},
        {"id": True},
        {"title": None},
        {"created": "yesterday"},
        {"progress": {"done": 1}},
        {"error": "broken"},
    ],
)
def test_another_shape_is_named_by_its_place(change: dict[str, Any]) -> None:
    with pytest.raises(SvqError, match=f"Document.{next(iter(change))}") as refused:
        read(Document, DOCUMENT | change)
    assert refused.value.code == "unexpected_answer"


@pytest.mark.parametrize("body", [None, [], {}, {"results": {}}, "text"])
def test_a_page_that_is_no_list_is_told(body: Any) -> None:
    with pytest.raises(SvqError, match="list of Datasource"):
        calls.datasources().read(reply(body))


def test_an_answer_takes_its_text_and_its_citations_know_it() -> None:
    cited = {
        "n": 1,
        "document": {"id": None, "title": "Lease"},
        "pages": [2],
        "place_in_file": "",
        "quote": "thirty days",
        "claim": "Thirty days.",
        "start": None,
        "end": None,
        "before": "",
        "after": "",
        "on_page": "exact",
        "read_elsewhere": False,
        "support": "supported",
        "confirmed_by": "code",
        "reason": "",
    }
    verdict = {"grounded": True, "confidence": 1}
    told = TURN | {"citations": [cited], "verdict": verdict}
    answer = calls.answer("0b9f6f0e").read(reply(told))
    assert (answer.text, answer.notices[0].text) == ("Thirty days. [1]", "An earlier answer.")
    assert answer.verdict == Verdict(grounded=True, confidence=1.0)
    assert calls.answer("0b9f6f0e").read(reply(TURN)).verdict is None
    (citation,) = answer.citations
    assert (citation.turn, citation.pages, citation.document.id) == ("0b9f6f0e", (2,), None)
    assert calls.crop(citation, None).path.endswith("turns/0b9f6f0e/citations/1/pages/2/crop")
    placed = cited | {"boxes": {"2": [[1, 2, 3.5, 4]]}, "crops": {"2": "/api/v1/x"}}
    proof = calls.proof(citation).read(reply(placed))
    assert (proof.boxes[2][0].x1, proof.crops, proof.citation) == (3.5, (2,), citation)


def test_a_document_of_a_server_that_does_not_say_who_read_it_is_read_there() -> None:
    before = {name: value for name, value in DOCUMENT.items() if name != "read_elsewhere"}
    assert calls.document(3).read(reply(before)).read_elsewhere is False
    assert calls.document(3).read(reply(DOCUMENT | {"read_elsewhere": True})).read_elsewhere is True


def test_an_id_cannot_leave_its_place_in_the_address() -> None:
    assert calls.answer("../documents/7").path == "/api/v1/turns/..%2Fdocuments%2F7"


def test_uploads_stand_for_all_their_documents() -> None:
    upload = Upload("a.jsonl", "accepted", (4, 5), 0)
    assert calls.numbers([upload, 5, 6, read(Document, DOCUMENT)]) == (4, 5, 6, 12)


def test_a_refusal_has_all_that_the_server_says() -> None:
    told = {"code": "busy", "message": "Too much at once.", "hint": "Wait."}
    refused = refusal(reply(told, 429, **{"retry-after": "7"}))
    assert refused
    assert (refused.code, refused.hint, refused.status, refused.retry_after) == ("busy", "Wait.", 429, 7)
    assert str(refused) == "Too much at once. Wait. (busy, 429)"
    assert str(pickle.loads(pickle.dumps(refused))) == str(refused)
    dated = refusal(reply(told, 503, **{"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}))
    assert dated
    assert dated.retry_after == 0
    of_a_proxy = refusal(reply("<html>", 502))
    assert of_a_proxy
    assert (of_a_proxy.code, of_a_proxy.retry_after) == ("http_502", None)
    elsewhere = refusal(reply(None, 301, location="https://svq.example/"))
    assert elsewhere
    assert "https://svq.example/" in elsewhere.message
    assert refusal(reply(None, 204)) is None
