"""The graph is what the documents say: whatever the order, the batches, the deletions."""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from graph.aggregate import mentions, update
from graph.extraction.rules.extractor import Rules
from graph.models import Decision, Entity, EntityMention, EntityName, Relation
from graph.values.extraction import ExtractedEntity, Extraction
from ingestion.models import Chunk
from sql import rows
from tests.conftest import person

pytestmark = pytest.mark.timeout(900)  # whole histories, many times over

# Spellings of few things, homonyms, short forms and references, so that documents touch each other's graph.
TEXTS = (
    "Tim Cook leads Apple Inc. in Cupertino. Cook was born in Mobile, Alabama.",
    "APPLE bought Beats Electronics for $3 billion. Apple, Inc. and Beats Electronics made the headphones.",
    "Mercury\nMercury is the planet nearest to the Sun. NASA sent the probe MESSENGER there.",
    "Mr. Mercury sang for Queen. Mercury was born in Zanzibar, and Mr. Mercury met Brian May.",
    "The Securities and Exchange Commission (SEC) sued Apple. The SEC asked Tim Cook about Section 4.2.",
    "Micro Soft and Apple met in New York City. Section 4.2 binds Microsoft to the City of New York.",
    "Johannes Hauptmann wrote to Brian May. Johannes Hauptmannn lives in Zanzibar with Queen.",
    "Tim Cook\nTim Cook met Johannes Hauptmann in Mobile. He went to Cupertino with Beats Electronics.",
    "Hauptmann Johannes spoke for Microsoft; microSoft answered the SEC on 3 May 2021 in Zanzibar.",
)
WRITTEN = (Chunk, EntityMention, EntityName, Entity, Relation)


def store(datasource: Datasource, text: str) -> tuple[Document, Chunk]:
    """A document of one chunk with its mentions, which do not count yet."""
    document = Document.objects.create(
        datasource=datasource, title=text[:20], filename="a.txt", mime="text/plain", size=len(text),
        sha256=hash_of(text), status=DocumentStatus.READY,
    )  # fmt: skip
    chunk = Chunk.objects.create(
        datasource=datasource, document=document, index=0, text=text, start=0, end=len(text),
        first_page=1, last_page=1,
    )  # fmt: skip
    mentions.store([chunk], Rules().extract(document.title, [text]), Rules.name)
    return document, chunk


def upload(datasource: Datasource, *texts: str) -> list[Document]:
    """Documents of one chunk each, read to the end in one batch."""
    documents = [store(datasource, text)[0] for text in texts]
    update.change(datasource.pk, added=[document.pk for document in documents])
    return documents


def hash_of(text: str) -> str:
    """In the order of TEXTS, which decides between statements that are equally good."""
    return f"{TEXTS.index(text):064d}" if text in TEXTS else hashlib.sha256(text.encode()).hexdigest()


def delete(datasource: Datasource, *documents: Document) -> None:
    update.change(datasource.pk, removed=[document.pk for document in documents])
    Document.objects.filter(pk__in=[document.pk for document in documents]).delete()


def datasource_mentions(datasource: Datasource) -> Any:
    counting = EntityMention.objects.filter(datasource=datasource, live=True)
    return counting.select_related("chunk", "named__entity")


def picture(datasource: Datasource, senses: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """All of the graph that a person could see, without ids: `senses` says what else to write for some."""
    return {
        "entities": sorted(
            (e.key, senses.get(e.sense, e.sense), e.name, e.types, e.description, e.mention_count,
             e.document_count, e.hidden,
             sorted((n.key, senses.get(n.sense, n.sense), n.name, n.types, n.count) for n in e.names.all()))
            for e in Entity.objects.filter(datasource=datasource).prefetch_related("names")
        ),
        "relations": sorted(
            (r.source.name, r.target.name, r.description, r.keywords, r.strength, r.mention_count, r.quoted)
            for r in Relation.objects.filter(datasource=datasource).select_related("source", "target")
        ),
        "mentions": sorted(
            (m.chunk.text, m.start, m.name, m.named.entity.name, m.said)
            for m in datasource_mentions(datasource)
        ),
        "candidates": sorted(
            (*sorted([c.a.name, c.b.name]), round(c.score, 4))
            for c in datasource.merge_candidates.select_related("a", "b")
        ),
    }  # fmt: skip


def fresh(texts: Sequence[str]) -> dict[str, Any]:
    """The picture of a new datasource with these documents."""
    datasource = create_datasource(User.objects.get(), f"fresh {Datasource.objects.count()}")
    upload(datasource, *texts)
    result = picture(datasource)
    update.drop(datasource.pk)
    datasource.delete()
    return result


@pytest.fixture
def home(db: None) -> Datasource:
    return create_datasource(person("alice"), "Home")


ORDERS = st.permutations(list(range(len(TEXTS))))
COMMON = settings(
    max_examples=25,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@COMMON
@given(order=ORDERS, cuts=st.sets(st.integers(1, len(TEXTS) - 1)))
def test_the_graph_is_the_same_whatever_the_order_and_the_batches(home, order, cuts):
    expected = fresh(TEXTS)
    datasource = create_datasource(home.owner, f"shuffled {Datasource.objects.count()}")
    edges = [0, *sorted(cuts), len(TEXTS)]
    for start, end in pairwise(edges):
        upload(datasource, *[TEXTS[i] for i in order[start:end]])
    assert picture(datasource) == expected


@settings(COMMON, max_examples=15)
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
            name="Acme", types=("ORGANIZATION",), description=statement, start=5 * i, end=5 * i + 4,
            said=(5 * i, 5 * i + 4),
        )
        for i, statement in enumerate(statements)
    )  # fmt: skip
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
    for mention in EntityMention.objects.select_related("chunk"):
        assert mention.chunk.text[mention.start : mention.end].strip()
        assert mention.chunk.text[mention.start : mention.end] in mention.chunk.text
    assert not Decision.objects.exists()
