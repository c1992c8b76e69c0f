"""Memos over REST: made of notes, written, taken as files."""

import pytest

from accounts.models import TokenScope, User
from datasources.models import Datasource
from memos.models import Memo
from memos.services import MAX_TEXT
from tests.memos.made import make_notes
from tests.rest import Api, program


@pytest.fixture
def place(contracts: Datasource, alice: User) -> str:
    make_notes(contracts, alice)
    return f"data-sources/{contracts.pk}/memos"


@pytest.fixture
def notes(place: str, contracts: Datasource) -> list[int]:
    return list(contracts.notes.order_by("pk").values_list("pk", flat=True))


@pytest.fixture
def one(place: str, notes: list[int], alice: User) -> str:
    """A memo of all notes."""
    return f"{place}/{Api(alice).post(place, {'notes': notes}).json()['id']}"


def test_notes_become_a_memo_and_more_go_to_its_end(place: str, notes: list[int], alice: User) -> None:
    owner = Api(alice)
    made = owner.post(place, {"notes": notes[:1]})
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["author"], told["edition"]) == (alice.email, 1)
    longer = owner.post(f"{place}/{told['id']}/notes", {"notes": notes[1:2]})
    assert longer.status_code == 200, longer.content
    assert longer.json()["text"].startswith(told["text"])
    assert longer.json()["text"].endswith("In May. [2]")
    assert [source["n"] for source in longer.json()["sources"]] == [1, 2]
    assert owner.get(f"{place}/{told['id']}").json() == longer.json()
    listed = owner.get(place).json()["results"]
    assert [each["id"] for each in listed] == [told["id"]]
    assert "text" not in listed[0]
    bodies: list[object] = [{"notes": []}, {"notes": [0]}, {"notes": [10**30]}, {"note": notes}, {}]
    for refused in bodies:
        assert owner.post(place, refused).status_code == 400
    assert Memo.objects.count() == 1


def test_what_was_saved_elsewhere_stays_and_so_does_what_was_sent(one: str, alice: User) -> None:
    owner = Api(alice)
    first = owner.send("PATCH", one, {"title": "Rent", "text": "First.\n", "edition": 1})
    assert (first.status_code, first.json()["title"], first.json()["edition"]) == (200, "Rent", 2)
    late = owner.send("PATCH", one, {"text": "Second.", "edition": 1})
    assert late.status_code == 201
    assert (late.json()["text"], late.json()["beside"]) == ("Second.", first.json()["id"])
    assert owner.get(one).json() == first.json()
    for refused, code in [
        ({"text": "No edition"}, "invalid"),
        ({"title": " ", "edition": 2}, "title_missing"),
        ({"text": "x" * (MAX_TEXT + 1), "edition": 2}, "text_long"),
        ({"text": "x", "edition": 2, "sources": []}, "invalid"),
    ]:
        sent = owner.send("PATCH", one, refused)
        assert (sent.status_code, sent.json()["code"]) == (400, code)
    assert owner.get(one).json() == first.json()


def test_a_source_goes_once_nothing_cites_it(one: str, alice: User) -> None:
    owner = Api(alice)
    assert owner.send("DELETE", f"{one}/sources/2").json()["code"] == "cited"
    owner.send("PATCH", one, {"text": "Only rent [1].", "edition": 1})
    assert owner.send("DELETE", f"{one}/sources/2").status_code == 204
    assert owner.send("DELETE", f"{one}/sources/2").status_code == 404
    assert [source["n"] for source in owner.get(one).json()["sources"]] == [1]


def test_it_is_taken_as_files_and_deleted(one: str, alice: User, bob: User) -> None:
    reader = Api(bob)
    for form, begins in [("md", b"# Memo of"), ("docx", b"PK"), ("pdf", b"%PDF")]:
        file = reader.get(f"{one}/file/{form}")
        assert file.status_code == 200, file.content
        assert file.content.startswith(begins)
        assert file.headers["Content-Disposition"].startswith("attachment")
    assert reader.get(f"{one}/file/exe").status_code == 404
    assert Api(alice).send("DELETE", one).status_code == 204
    assert Api(alice).get(one).status_code == 404


def test_who_may_not(place: str, one: str, notes: list[int], alice: User, bob: User, charlie: User) -> None:
    own = Datasource.objects.create(name="Own", owner=charlie)
    number = one.rpartition("/")[2]
    for api, looked, changed in [
        (Api(bob), 200, 403),  # a viewer
        (program(alice, TokenScope.READ)[0], 200, 403),
        (program(alice, TokenScope.ASK)[0], 403, 403),
        (Api(charlie), 404, 404),
        (Api(), 401, 401),
    ]:
        seen = [api.get(each).status_code for each in (place, one, f"{one}/file/md")]
        assert seen == [looked] * 3
        sent = [
            api.post(place, {"notes": notes}),
            api.post(f"{one}/notes", {"notes": notes}),
            api.send("PATCH", one, {"text": "Mine", "edition": 1}),
            api.send("DELETE", f"{one}/sources/1"),
            api.send("DELETE", one),
        ]
        assert [each.status_code for each in sent] == [changed] * 5
    elsewhere = f"data-sources/{own.pk}/memos/{number}"
    assert [Api(charlie).get(elsewhere).status_code, Api(charlie).send("DELETE", elsewhere).status_code] == [
        404
    ] * 2
    assert [each.edition for each in Memo.objects.all()] == [1]
