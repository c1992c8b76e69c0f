"""Random people ask random datasources: no search gives a row of a datasource that is not theirs."""

import random
from zlib import crc32

import pytest

from accounts.models import User
from benchmarks.vectors import strangers
from datasources.models import Datasource
from datasources.services import create_datasource
from ingestion.indexes import search_index
from providers.embedders import embedder
from retrieval.engine import Leg, Query, Scope, candidates, retrieve
from retrieval.legs import fuzzy, question
from tests.reader.integration.test_search import add

pytestmark = pytest.mark.django_db


def test_nobody_gets_a_row_of_another_s() -> None:
    random.seed(1)
    assert not User.objects.exists()
    told = strangers(300)
    assert told["queries"] == 300
    assert told["rows"] > 500
    assert told["rows of another's"] == 0


@pytest.fixture
def meeting_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large datasources, and terms whose hashes are the same in all of them: somebody has computed such."""

    def hashed(_: int, term: str) -> int:
        return crc32(term.encode()) % (search_index.HASHES - 1)

    for module in (search_index, question, fuzzy):
        monkeypatch.setattr(module, "hashed", hashed)
    monkeypatch.setattr(candidates, "SCANNED", 0)


SECRET = "The salary of the director of Quillon is ninety thousand."


@pytest.mark.parametrize("legs", [{leg} for leg in Leg] + [set(Leg)], ids=lambda legs: "+".join(sorted(legs)))
def test_no_leg_finds_the_words_of_another_datasource(
    contracts: Datasource, charlie: User, meeting_hashes: None, legs: set[Leg]
) -> None:
    add(contracts, "Quillon payroll", SECRET, "Other things are told here about bread, and Quillon.")
    mine = create_datasource(charlie, "Mine")
    add(mine, "Quillon note", "A note about the salary in the garden of Quillon.", "The weather at Quillon.")
    scope = Scope(user_id=charlie.pk, datasource_id=mine.pk)
    asked = Query(text="salary of the Quillon director", legs=frozenset(legs))
    found = retrieve(asked, scope, embedder(mine)).evidence
    assert {passage.document_title for passage in found} <= {"Quillon note"}
