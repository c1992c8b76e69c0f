"""Where a quote is found: in the passages shown, across their borders, elsewhere in what may be searched."""

import pytest

from accounts.models import User
from citations.parse import Quotation
from citations.place import find
from datasources.models import Datasource, Document
from retrieval.evidence import Evidence, evidence_of
from retrieval.query import Scope
from tests.factories import add_pages, make_document

pytestmark = pytest.mark.django_db

PAGES = (
    "Backups are kept for thirty days. The supplier shall tell the customer of any breach without",
    "undue delay and at the latest within two days. Keys are changed each year by the security team.",
    "The archive is stored in a mine below Bergen, which nobody may enter alone.",
)


@pytest.fixture
def document(contracts: Datasource) -> Document:
    """Each of its pages is a chunk."""
    document = make_document(contracts, "Terms", PAGES[0])
    add_pages(document, PAGES[1:])
    return document


def passages(document: Document, *indices: int) -> dict[str, Evidence]:
    chunks = document.chunks.filter(index__in=indices).order_by("index")
    return {f"c{n}": evidence_of(chunk, 0.5) for n, chunk in enumerate(chunks, start=1)}


def scope(user: User, document: Document, *chosen: Document) -> Scope:
    ids = frozenset(one.pk for one in chosen) or None
    return Scope(user_id=user.pk, datasource_id=document.datasource_id, document_ids=ids)


def quotation(quote: str, key: str = "c1") -> Quotation:
    return Quotation(n=1, claim="", key=key, quote=quote)


def test_the_passage_that_was_named_comes_first(alice: User, document: Document) -> None:
    twin = make_document(document.datasource, "Twin", PAGES[0])
    shown = passages(document, 0) | {"c2": passages(twin, 0)["c1"]}
    for key, expected in (("c1", document), ("c2", twin)):
        place = find(quotation("kept for thirty days", key), shown, scope(alice, document))
        assert place
        assert (place.document_id, place.method) == (expected.pk, "exact")


@pytest.mark.parametrize("key", ["c1", "c9", ""])
def test_words_under_a_wrong_key_are_found_where_they_stand(
    alice: User, document: Document, key: str
) -> None:
    place = find(quotation("kept for thirty days", key), passages(document, 2, 0), scope(alice, document))
    assert place
    assert (place.start, place.first_page) == (PAGES[0].index("kept"), 1)


def test_a_quote_across_two_chunks_and_pages_is_found_as_one(alice: User, document: Document) -> None:
    quote = "tell the customer of any breach without undue delay and at the latest within two days"
    place = find(quotation(quote), passages(document, 0), scope(alice, document))
    assert place is not None
    assert " ".join(place.quote.split()) == quote
    assert place.start < len(PAGES[0]) < place.end
    assert place.context[place.at :].startswith(place.quote)
    assert place.context.startswith(PAGES[0])


def test_a_quote_that_no_passage_shows_is_found_in_its_document(alice: User, document: Document) -> None:
    place = find(quotation("stored in a mine below Bergen"), passages(document, 0), scope(alice, document))
    assert place is not None
    assert (place.document_id, place.quote) == (document.pk, "stored in a mine below Bergen")
    assert place.start == sum(len(page) + 1 for page in PAGES[:2]) + len("The archive is ")


def test_a_quote_of_another_document_is_found_only_where_it_may_be_searched(
    alice: User, charlie: User, document: Document
) -> None:
    other = make_document(document.datasource, "Prices", "The yearly fee is nine hundred euros, paid in May.")
    quote = quotation("yearly fee is nine hundred euros")
    assert (place := find(quote, passages(document, 0), scope(alice, document)))
    assert (place.document_id, place.title) == (other.pk, "Prices")
    assert find(quote, passages(document, 0), scope(alice, document, document)) is None
    foreign = Datasource.objects.create(owner=charlie, name="Private")
    make_document(foreign, "Secret", "The merger is announced on the first of June.")
    secret = quotation("merger is announced on the first")
    assert find(secret, passages(document, 0), scope(alice, document)) is None


def test_a_slip_is_forgiven_only_where_the_model_said_it_read(alice: User, document: Document) -> None:
    slip = "The archive is stord in a mine below Bergen, which nobody may enter alone"
    assert find(quotation(slip), passages(document, 0), scope(alice, document)) is None
    place = find(quotation(slip), passages(document, 2), scope(alice, document))
    assert place is not None
    assert place.method == "corrected"


def test_words_that_stand_nowhere_are_not_found(alice: User, document: Document) -> None:
    assert (
        find(quotation("kept for ninety days"), passages(document, 0, 1, 2), scope(alice, document)) is None
    )
