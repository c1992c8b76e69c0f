"""The graph is what the documents say: whatever the order, the batches, the deletions."""

from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from datasources.models import Datasource
from datasources.services import create_datasource
from graph.aggregate import mentions, update
from graph.models import Decision, Entity, EntityMention, EntityName, Relation
from graph.values.extraction import ExtractedEntity, Extraction
from ingestion.models import Chunk
from sql import rows
from tests.graph.corpus import COMMON, TEXTS, delete, fresh, picture, store, upload
from text.normal_forms.normal_form import fold

pytestmark = pytest.mark.timeout(900)  # whole histories, many times over

WRITTEN = (Chunk, EntityMention, EntityName, Entity, Relation)


ORDERS = st.permutations(list(range(len(TEXTS))))


@COMMON
@given(order=ORDERS, cuts=st.sets(st.integers(1, len(TEXTS) - 1)))
def test_the_graph_is_the_same_whatever_the_order_and_the_batches(home, order, cuts):
    expected = fresh(TEXTS)
    datasource = create_datasource(home.owner, f"shuffled {Datasource.objects.count()}")
    edges = [0, *sorted(cuts), len(TEXTS)]
    for start, end in pairwise(edges):
        upload(datasource, *[TEXTS[i] for i in order[start:end]])
    assert picture(datasource) == expected


@settings(COMMON, max_examples=8)
@given(order=ORDERS, kept=st.integers(0, len(TEXTS) - 1))
def test_deleting_documents_leaves_exactly_the_graph_of_the_others(home, order, kept):
    datasource = create_datasource(home.owner, f"shrinking {Datasource.objects.count()}")
    documents = [upload(datasource, TEXTS[i])[0] for i in order]
    for document in documents[kept:]:
        delete(datasource, document)
    assert picture(datasource) == fresh([TEXTS[i] for i in order[:kept]])
    if kept == 0:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM graph_nameblock b JOIN graph_entityname n ON n.id = b.name_id"
                " WHERE n.datasource_id = %s",
                [datasource.pk],
            )
            assert cursor.fetchone() == (0,)


def test_folding_again_changes_nothing(home):
    documents = upload(home, *TEXTS)
    before = picture(home)
    update.change(home.pk, added=[document.pk for document in documents])
    assert picture(home) == before


def test_a_replacement_is_one_step(home):
    (old,) = upload(home, TEXTS[0])
    (new,) = upload(home, TEXTS[1])
    update.change(home.pk, added=[new.pk], removed=[old.pk])
    old.delete()
    assert picture(home) == fresh([TEXTS[1]])


def test_a_replacement_that_fails_changes_nothing(home, monkeypatch):
    (old,) = upload(home, TEXTS[0])
    upload(home, TEXTS[4])
    before = picture(home)
    new, _ = store(home, TEXTS[1])

    def broken(*_: Any) -> None:
        raise RuntimeError("the power is out")

    monkeypatch.setattr(update, "fold_relations", broken)
    with pytest.raises(RuntimeError):
        update.change(home.pk, added=[new.pk], removed=[old.pk])
    assert picture(home) == before
    monkeypatch.undo()
    update.change(home.pk, added=[new.pk], removed=[old.pk])
    old.delete()
    assert picture(home) == fresh([TEXTS[1], TEXTS[4]])


def said_of_acme(datasource: Datasource, *statements: str) -> Chunk:
    """A passage that names Acme once a statement, as a model read it; gives its chunk."""
    document, chunk = store(datasource, "Acme " * len(statements))
    mentions.remove([document.pk])
    entities = tuple(
        ExtractedEntity(
            name="Acme",
            types=("ORGANIZATION",),
            description=statement,
            start=5 * i,
            end=5 * i + 4,
            said=(5 * i, 5 * i + 4),
        )
        for i, statement in enumerate(statements)
    )
    mentions.store([chunk], [Extraction(entities=entities, relations=())], "m")
    update.change(datasource.pk, added=[document.pk])
    return chunk


def test_what_is_said_often_does_not_hide_what_is_said_once(home):
    often = said_of_acme(home, *["Acme makes long and heavy anvils of steel."] * 9)
    twice = said_of_acme(home, *["Acme makes anvils."] * 2)
    once = said_of_acme(home, "Acme sells.")
    acme = Entity.objects.get(datasource=home, key="acme")
    assert acme.description == "Acme makes long and heavy anvils of steel. Acme makes anvils. Acme sells."
    assert acme.passages == [often.pk, twice.pk, once.pk]


@pytest.mark.django_db
def test_lists_reach_the_database_as_they_are():
    for values in (['"', "a\\", "{b,c}", "NULL", "", "é\n'%s"], ["plain"], []):
        assert [text for (text,) in rows("SELECT unnest(%s::text[])", values)] == values
    assert rows("SELECT %s::bigint[], %s::float8[]", [1, -(2**40)], [0.5, 1e-7]) == [
        ([1, -(2**40)], [0.5, 1e-7])
    ]


def test_spellings_of_one_company_are_one_entity_and_homonyms_are_two(home):
    upload(home, *TEXTS)
    apple = Entity.objects.get(datasource=home, names__key="apple")
    assert apple.document_count == 4
    microsoft = Entity.objects.get(datasource=home, names__key="microsoft")
    assert {name.key for name in microsoft.names.all()} == {"micro soft", "microsoft"}
    assert Entity.objects.get(datasource=home, names__key="johannes hauptmann").names.count() == 2
    assert Entity.objects.filter(datasource=home, name__contains="Cook").get().mention_count == 5


def test_a_mention_shows_the_words_of_its_chunk(home):
    upload(home, *TEXTS)
    mentions = EntityMention.objects.select_related("chunk")
    assert len(mentions) > 40
    for mention in mentions:
        words = mention.chunk.text[mention.start : mention.end]
        assert fold(words) in fold(mention.name)
    assert not Decision.objects.exists()
