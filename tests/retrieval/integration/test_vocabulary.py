"""The words of a large datasource are looked through in batches, with what all of them at once would give."""

import pytest

from datasources.models import Datasource
from english.vocabulary import Vocabulary
from ingestion.indexes.search_index import hashed
from ingestion.models import Word
from retrieval import vocabulary
from retrieval.legs import spelt_alike
from retrieval.query import Scope
from retrieval.sql import batches
from retrieval.vocabulary import IndexedVocabulary

pytestmark = pytest.mark.django_db

WRITTEN = ["built", "going", "œuvre", "straße", "colour", "hallowmere", "renewing", "notices", "boeings"]
ASKED = ["build", "went", "oeuvres", "strassen", "colors", "Hallowmeer", "Renew", "Notice", "Boeing", "Texas"]


@pytest.fixture
def listed(contracts: Datasource) -> Scope:
    filling = [f"{letter}{'abcdefghij'[n]}word" for letter in "abcdefghijklmnopqrstuvwxyz" for n in range(10)]
    Word.objects.bulk_create(
        Word(datasource=contracts, word=word, term=hashed(contracts.pk, word))
        for word in [*filling, *WRITTEN]
    )
    return Scope(user_id=contracts.owner_id, datasource_id=contracts.pk)


def test_batches_find_what_the_whole_list_has(listed: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "LISTED_AT_ONCE", 20)
    whole, in_batches = Vocabulary(WRITTEN), IndexedVocabulary(listed)
    assert {word: in_batches.has(word) for word in ASKED} == {word: whole.has(word) for word in ASKED}
    assert not in_batches.has("Texas")


def test_no_more_rows_than_a_batch_are_held(listed: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    def counted(name: str, size: int, **values: object) -> object:
        for some in batches(name, size, **values):
            held.append(len(some))
            yield some

    for module in (vocabulary, spelt_alike):
        monkeypatch.setattr(module, "batches", counted)
    monkeypatch.setattr(vocabulary, "LISTED_AT_ONCE", 20)
    monkeypatch.setattr(spelt_alike, "READ_AT_ONCE", 20)
    near = spelt_alike.alike(listed.datasource_id, ["hallowmeer"])
    assert near == [{hashed(listed.datasource_id, "hallowmere")}]
    assert IndexedVocabulary(listed).resembling(["Hallowmeer"]) is not None
    assert sum(held) > 20 >= max(held)


def test_of_very_many_texts_a_word_that_no_list_has_is_not_called_absent(
    listed: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not IndexedVocabulary(listed).has("R2D2")
    monkeypatch.setattr(vocabulary, "READ_AT_MOST", -1)
    assert IndexedVocabulary(listed).has("R2D2")
