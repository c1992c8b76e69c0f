"""What is said of the passages that came nearest, of many turns at once."""

from typing import Any

from accounts.models import User
from chat.models import Turn
from chat.nearest_passages import nearest_of
from datasources.models import Datasource
from tests.factories import make_document, make_turn


def test_all_turns_of_a_page_are_told_in_one_query(
    contracts: Datasource, alice: User, django_assert_num_queries: Any
) -> None:
    documents = [make_document(contracts, f"Lease {n}") for n in range(3)]
    documents[1].read_elsewhere = True
    documents[1].save()
    for document in documents:
        turn = make_turn(alice, document)
        turn.nearest = [{"document": document.pk, "title": document.title}]
        turn.save()
    turns = list(Turn.objects.order_by("pk"))
    with django_assert_num_queries(1):
        told = nearest_of(turns)
    near = [passage for each in told.values() for passage in each]
    assert {one["document"]: one["read_elsewhere"] for one in near} == {
        document.pk: document == documents[1] for document in documents
    }
    with django_assert_num_queries(0):
        assert not any(nearest_of(Turn(nearest=[]) for _ in range(3)).values())
