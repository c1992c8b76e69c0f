"""Programs upload a document under an id of their own, and search and ask by it."""

import io
import json
from typing import Any

import pytest
from django.core.cache import cache

from accounts.models import User
from datasources.models import Datasource, Document, Role
from datasources.models.outside_ids import EXTERNAL_ID
from datasources.services import create_datasource, share
from datasources.whose_ids import KNOWLEDGE_BASE, meant
from tests.factories import add_passages, make_document
from tests.rest import ERROR, Api

pytestmark = pytest.mark.django_db(transaction=True)

LEASE = "0d4a2f3e-6b1c-4b7f-9b57-1f0c1f6f4a11"
KEEPER = "Orrin Vale kept the lighthouse of Saltmere for forty years."
MAYOR = "Saltmere is a harbour town. Its mayor is Petra Lindqvist."


def upload(person: User, datasource: Datasource, name: str, text: str, metadata: Any) -> Any:
    file = io.BytesIO(text.encode())
    file.name = name
    given = metadata if isinstance(metadata, str) else json.dumps(metadata)
    return Api(person).upload(f"data-sources/{datasource.pk}/documents", files=file, metadata=given)


def found(person: User, query: str = "Who lives in Saltmere?", **more: Any) -> list[dict[str, Any]]:
    answer = Api(person).post("rag/retrieve", {"query": query, **more})
    assert answer.status_code == 200, answer.content
    return [row["metadata"] for row in answer.json()["results"]]


@pytest.fixture
def town(contracts: Datasource, alice: User, work: Any) -> Datasource:
    cache.clear()
    upload(alice, contracts, "keeper.txt", KEEPER, {"externalId": LEASE, "subjectId": "history"})
    upload(alice, contracts, "mayor.txt", MAYOR, {"subjectId": 7, "Grade": 5})
    work()
    return contracts


def test_a_document_is_found_by_the_id_that_another_program_gave_it(town: Datasource, alice: User) -> None:
    (passage,) = found(alice, docIds=[LEASE])
    keeper = Document.objects.get(filename="keeper.txt")
    assert (passage["documentId"], passage["document"], passage["contentType"]) == (LEASE, keeper.pk, "text")
    (passage,) = found(alice, docIds=[str(keeper.pk)])
    assert passage["documentId"] == keeper.pk
    assert len(found(alice)) == 2


def test_an_id_that_no_document_has_is_named(town: Datasource, alice: User, charlie: User) -> None:
    for person in (alice, charlie):
        cache.clear()
        ids = ["none-of-ours"] if person is alice else [LEASE]
        answer = Api(person).post("rag/retrieve", {"query": "Who?", "docIds": ids})
        assert (answer.status_code, answer.json()["code"]) == (404, "NO_DOCUMENTS")
        assert ids[0] in answer.json()["message"]


def test_a_new_version_keeps_the_id(town: Datasource, alice: User, work: Any) -> None:
    file = io.BytesIO(b"Saltmere has a new keeper, Mira Holt.")
    file.name = "keeper 2.txt"
    old = Document.objects.get(filename="keeper.txt")
    assert Api(alice).upload(f"documents/{old.pk}/replace", file=file).status_code in (200, 201)
    work()
    (passage,) = found(alice, docIds=[LEASE])
    assert passage["fileName"] == "keeper 2.txt"


def test_the_same_file_again_takes_the_new_id(town: Datasource, alice: User) -> None:
    answer = upload(alice, town, "mayor.txt", MAYOR, {"externalId": "mayor-1"})
    assert answer.json()["files"][0]["outcome"] == "duplicate"
    upload(alice, town, "mayor.txt", MAYOR, {"externalId": "mayor-2", "subjectId": "people"})
    for own in ("mayor-1", "mayor-2"):
        (passage,) = found(alice, docIds=[own])
        assert (passage["fileName"], passage["documentId"]) == ("mayor.txt", own)
    metadata = Document.objects.get(filename="mayor.txt").metadata
    assert metadata == {"externalId": ["mayor-1", "mayor-2"], "subjectId": [7, "people"], "Grade": 5}


def test_an_id_of_digits_is_the_programs_own_before_it_is_a_number(town: Datasource, alice: User) -> None:
    keeper, mayor = (Document.objects.get(filename=name) for name in ("keeper.txt", "mayor.txt"))
    mayor.write(metadata={"externalId": str(keeper.pk)})
    assert [each["fileName"] for each in found(alice, docIds=[str(keeper.pk)])] == ["mayor.txt"]
    assert [each["fileName"] for each in found(alice, docIds=[keeper.pk])] == ["keeper.txt"]


def test_a_number_of_ones_own_comes_before_anothers_id(
    town: Datasource, alice: User, bob: User, work: Any
) -> None:
    keeper = Document.objects.get(filename="keeper.txt")
    theirs = create_datasource(bob, "Bob's")
    share(theirs, alice, Role.VIEWER)
    upload(bob, theirs, "evil.txt", "Evil words of Saltmere.", {"externalId": str(keeper.pk)})
    work()
    for own in (str(keeper.pk), f"svq-{keeper.pk}"):
        assert [each["fileName"] for each in found(alice, docIds=[own])] == ["keeper.txt"]


def test_ready_passages_that_are_here_already_get_the_metadata_too(town: Datasource, alice: User) -> None:
    line = json.dumps({"title": "Day 1", "text": "The lamp of Saltmere is lit."})
    upload(alice, town, "days.jsonl", line, {"tags": ["Light"]})
    upload(alice, town, "days.jsonl", line, {"externalId": "days", "tags": ["light", "Days"]})
    passage = Document.objects.get(filename="days.jsonl")
    assert passage.metadata == {"externalId": "days", "tags": ["Light", "Days"]}


def test_filters_have_the_keys_that_programs_wrote(town: Datasource, alice: User) -> None:
    assert [each["fileName"] for each in found(alice, filters={"subjectId": "history"})] == ["keeper.txt"]
    assert [each["fileName"] for each in found(alice, filters={"Grade": 5, "TYPE": "txt"})] == ["mayor.txt"]
    assert not found(alice, filters={"grade": 5})


@pytest.mark.parametrize(
    "wrong", ["no json", "[]", '{"externalId": 42}', '{"externalId": "svq-1"}', '{"a": "\\u0000"}']
)
def test_metadata_that_makes_no_sense_stores_nothing(contracts: Datasource, alice: User, wrong: str) -> None:
    answer = upload(alice, contracts, "keeper.txt", KEEPER, wrong)
    assert (answer.status_code, set(answer.json())) == (400, ERROR)
    assert "metadata" in answer.json()["message"]
    assert not contracts.documents.exists()


def test_a_hundred_passages_are_listed_for_programs_that_rank_them_again(
    contracts: Datasource, alice: User, work: Any
) -> None:
    cache.clear()
    rows = [
        {"title": f"Day {n}", "text": f"On day {n} the keeper lit lamp {n} of Saltmere."} for n in range(120)
    ]
    add_passages(contracts, alice, rows)
    work()
    assert len(found(alice, "Which lamps did the keeper light?", similarityTopK=100)) == 100
    answer = Api(alice).post("rag/retrieve", {"query": "Which?", "similarityTopK": 101})
    assert answer.status_code == 400


def test_words_alone_or_meaning_alone_can_be_asked_for(town: Datasource, alice: User) -> None:
    words = found(alice, "harbour town", alpha=0.0)
    assert words[0]["fileName"] == "mayor.txt"
    scores = {
        alpha: Api(alice).post("rag/retrieve", {"query": "light tower", "alpha": alpha}).json()["results"]
        for alpha in (0.0, 1.0)
    }
    assert scores[0.0] != scores[1.0]


def test_documents_of_another_person_are_not_reached_by_the_same_id(
    town: Datasource, alice: User, charlie: User, work: Any
) -> None:
    upload(
        charlie, create_datasource(charlie, "Recipes"), "soup.txt", "Soup of Saltmere.", {"externalId": LEASE}
    )
    work()
    assert [each["fileName"] for each in found(alice, docIds=[LEASE])] == ["keeper.txt"]
    assert [each["fileName"] for each in found(charlie, docIds=[LEASE])] == ["soup.txt"]


def test_the_nearest_of_those_with_an_id_is_meant(alice: User, bob: User, contracts: Datasource) -> None:
    """Where programs add documents, then what is one's own, then what one may change, then what one may read;
    within each what one has added.
    """
    home = create_datasource(alice, KNOWLEDGE_BASE)
    theirs, readable = create_datasource(bob, "Theirs"), create_datasource(bob, "Readable")
    share(theirs, alice, Role.EDITOR)
    share(readable, alice, Role.VIEWER)
    from_the_farthest = [
        (readable, bob),
        (theirs, bob),
        (theirs, alice),
        (contracts, bob),
        (contracts, alice),
    ]
    for datasource, adder in [*from_the_farthest, (home, bob), (home, alice)]:
        made = make_document(datasource, f"Of {adder.name}", uploaded_by=adder)
        made.write(metadata={EXTERNAL_ID: LEASE})
        (nearest,) = meant(alice, [LEASE], Document.objects.visible_to(alice))[LEASE]
        assert nearest == made


def test_an_id_as_svqs_own_begin_stands_for_the_number_alone(alice: User, contracts: Datasource) -> None:
    first, other = make_document(contracts, "First"), make_document(contracts, "Other")
    other.write(metadata={EXTERNAL_ID: f"svq-{first.pk}"})  # as older versions took it
    (meant_so,) = meant(alice, [f"svq-{first.pk}"], Document.objects.visible_to(alice))[f"svq-{first.pk}"]
    assert meant_so == first
    assert other.external_ids == []
