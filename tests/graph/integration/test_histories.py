"""Whatever documents and people do to a graph: it is what the documents and decisions that are left say.

Every example plays a history of uploads, deletions, ways back, replacements and decisions, then builds a new
datasource of what is left and compares: names, entities, relations, mentions, questions, vectors, answers.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from datasources.models import Datasource, Document
from datasources.services import create_datasource
from graph.aggregate import update, vectors
from graph.curation import services
from graph.extraction.llm.cache import content_hash
from graph.models import (
    CachedExtraction,
    ChunkExtraction,
    Decision,
    Entity,
    EntityEmbedding,
    EntityName,
    ExtractionState,
    NameBlock,
    RelationEmbedding,
)
from graph.resolution import frequent_names
from ingestion.indexes import vector_spaces
from ingestion.models import Chunk
from providers.protocols.embedding import AlikeEmbedder
from tests.graph.corpus import TEXTS, picture, store

pytestmark = pytest.mark.timeout(900)  # whole histories, many times over


MORE = (
    "John Smith leads Halden Foods in Oslo. John Smith met Tim Cook.",
    "J. Smith signed for Halden Foods. In Oslo, J. Smith met Brian May.",
    "John A. Smith left Apple for the World Health Organisation in New York City.",
    "The World Health Organization (WHO) answered Halden Foods in Oslo.",
)
ALL = TEXTS + MORE
KEYS = (
    "apple",
    "tim cook",
    "cupertino",
    "beats electronics",
    "mercury",
    "microsoft",
    "micro soft",
    "john smith",
    "j smith",
    "john a smith",
    "world health organisation",
    "world health organization",
    "halden foods",
    "johannes hauptmann",
    "new york city",
    "queen",
    "section 4.2",
)
PLACES = st.integers(0, len(ALL) - 1)
NAMES = st.sampled_from(KEYS)
STEPS = st.one_of(
    st.tuples(st.just("upload"), st.sets(PLACES, min_size=1, max_size=6)),
    st.tuples(st.sampled_from(["delete", "rest"]), st.sets(PLACES, min_size=1, max_size=3)),
    st.tuples(st.just("replace"), PLACES, PLACES),
    st.tuples(st.sampled_from(["merge", "apart"]), NAMES, NAMES),
    st.tuples(st.sampled_from(["hide", "rename", "retype", "part"]), NAMES),
    st.tuples(st.just("alias"), NAMES, st.sampled_from(["The Fruit Company", "WHO", "Oslo", "Nobody"])),
    st.tuples(st.just("split"), NAMES, PLACES),
    st.tuples(st.just("undo"), st.integers(0, 5)),
    st.tuples(st.just("embed")),
)


class Hashes(AlikeEmbedder):
    """An embedder whose vectors tell texts apart."""

    name = "hashes"
    dimensions = 4

    def embed(self, texts: Sequence[str]) -> Any:
        digests = [hashlib.sha256(text.encode()).digest()[:4] for text in texts]
        return np.array([list(digest) for digest in digests], np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class Played:
    """A datasource and what stands in it: documents by the number of their text."""

    def __init__(self, datasource: Datasource) -> None:
        self.datasource = datasource
        self.documents: dict[int, Document] = {}
        self.withdrawn: set[int] = set()

    def play(self, kind: str, *values: Any) -> None:
        try:
            with transaction.atomic():
                getattr(self, kind)(*values)
        except ValidationError:
            pass  # refused, with nothing changed

    def upload(self, texts: set[int]) -> None:
        for text in sorted(texts - set(self.documents)):
            self.documents[text] = read(self.datasource, ALL[text])
        self.withdrawn -= texts
        update.change(self.datasource.pk, added=[self.documents[text].pk for text in sorted(texts)])

    def delete(self, texts: set[int]) -> None:
        gone = [self.documents.pop(text) for text in sorted(texts & set(self.documents))]
        self.withdrawn -= texts
        update.change(self.datasource.pk, removed=[document.pk for document in gone])
        for document in gone:
            refers_to_nothing(document)
            document.delete()

    def rest(self, texts: set[int]) -> None:
        self.withdrawn |= texts & set(self.documents)
        update.change(
            self.datasource.pk, withdrawn=[self.documents[text].pk for text in sorted(self.withdrawn)]
        )

    def replace(self, old: int, new: int) -> None:
        if old not in self.documents or new in self.documents:
            return
        self.documents[new] = read(self.datasource, ALL[new])
        gone = self.documents.pop(old)
        self.withdrawn.discard(old)
        update.change(self.datasource.pk, added=[self.documents[new].pk], removed=[gone.pk])
        gone.delete()

    def merge(self, one: str, two: str) -> None:
        services.merge(self.entity(one), self.entity(two))

    def apart(self, one: str, two: str) -> None:
        services.keep_apart(self.name(one), self.name(two))

    def part(self, key: str) -> None:
        services.separate(self.name(key))

    def hide(self, key: str) -> None:
        services.hide(self.entity(key))

    def rename(self, key: str) -> None:
        services.rename(self.entity(key), f"Another {key}")

    def retype(self, key: str) -> None:
        services.retype(self.entity(key), ["ANOTHER"])

    def alias(self, key: str, name: str) -> None:
        services.add_alias(self.entity(key), name)

    def split(self, key: str, text: int) -> None:
        if text not in self.documents or Decision.objects.filter(document__isnull=False).exists():
            raise ValidationError("One is enough: the order of several depends on the documents' numbers.")
        services.split(self.name(key), self.documents[text])

    def undo(self, place: int) -> None:
        for decision in self.decisions()[place : place + 1]:
            services.undo(decision)

    def embed(self) -> None:
        while vectors.embed_due(vector_spaces.claim(self.datasource, Hashes()), Hashes()):
            pass

    def name(self, key: str) -> EntityName:
        found = EntityName.objects.filter(datasource=self.datasource, key=key).order_by("sense").first()
        if found is None:
            raise ValidationError("No document names it.")
        return found

    def entity(self, key: str) -> Entity:
        found = self.name(key).entity
        assert found is not None
        return found

    def decisions(self) -> list[Decision]:
        return list(Decision.objects.filter(datasource=self.datasource).order_by("pk"))

    def again(self) -> "Played":
        """A new datasource, with the decisions that stand and then, at once, the documents that count."""
        new = Played(create_datasource(self.datasource.owner, f"again {self.datasource.pk}"))
        for text, document in sorted(self.documents.items()):
            if text not in self.withdrawn or any(d.document_id == document.pk for d in self.decisions()):
                new.documents[text] = read(new.datasource, ALL[text])
        numbers = {f"document {old.pk}": new.documents.get(text) for text, old in self.documents.items()}
        for decision in self.decisions():
            held = numbers.get(f"document {decision.document_id}")
            Decision.objects.create(
                datasource=new.datasource,
                kind=decision.kind,
                key=decision.key,
                other_key=decision.other_key,
                sense=_of(numbers, decision.sense),
                other_sense=_of(numbers, decision.other_sense),
                name=decision.name,
                types=decision.types,
                document=held,
            )
        counting = [document.pk for text, document in new.documents.items() if text not in self.withdrawn]
        update.change(new.datasource.pk, added=counting)
        return new

    def everything(self) -> dict[str, Any]:
        """All of the graph, without any id."""
        self.embed()
        numbers = {f"document {d.pk}": f"document {text}" for text, d in self.documents.items()}
        seen = picture(self.datasource, numbers)
        return seen | {
            "entity vectors": sorted(
                (v.entity.key, numbers.get(v.entity.sense, v.entity.sense), list(v.vector))
                for v in EntityEmbedding.objects.filter(space__datasource=self.datasource).select_related(
                    "entity"
                )
            ),
            "relation vectors": sorted(
                (v.relation.source.key, v.relation.target.key, list(v.vector))
                for v in RelationEmbedding.objects.filter(space__datasource=self.datasource).select_related(
                    "relation__source", "relation__target"
                )
            ),
            "blocks": sorted(
                (block.name.key, block.sure)
                for block in NameBlock.objects.filter(name__datasource=self.datasource).select_related("name")
            ),
        }

    def answers_kept(self) -> set[str]:
        return set(CachedExtraction.objects.values_list("content", flat=True))


def _of(numbers: dict[str, Document | None], sense: str) -> str:
    held = numbers.get(sense)
    return f"document {held.pk}" if held else sense


def read(datasource: Datasource, text: str) -> Document:
    """A document whose mentions do not count yet, read as by a model: its answer is kept by content."""
    document, chunk = store(datasource, text)
    answer, _ = CachedExtraction.objects.get_or_create(
        content=content_hash(chunk.text), prompt="p", model="m", defaults={"answer": {}}
    )
    ChunkExtraction.objects.create(
        chunk=chunk, datasource=datasource, document=document, cached=answer, state=ExtractionState.DONE
    )
    return document


def refers_to_nothing(document: Document) -> None:
    """Nothing that was derived for the graph names the document any more; its chunks are still there."""
    derived = {model for app in ("ingestion", "graph") for model in apps.get_app_config(app).get_models()}
    assert EntityName in derived
    for model in derived - {Chunk, Decision}:
        for field in model._meta.fields:
            if field.related_model is Document:
                assert not model._default_manager.filter(**{field.name: document}).exists(), model
            if field.related_model is Chunk:
                assert not model._default_manager.filter(**{f"{field.name}__document": document}).exists()


def for_examples(count: int) -> Any:
    return settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@for_examples(25)
@given(
    first=st.sets(PLACES, min_size=2),
    steps=st.lists(STEPS, min_size=1, max_size=10),
    frequent=st.sampled_from([0, 1, 3, frequent_names.FREQUENT]),
)
def test_a_graph_is_what_its_documents_and_decisions_say(
    home: Datasource, first: set[int], steps: Any, frequent: int
) -> None:
    """Also where names are frequent, whose counts are kept and not made again."""
    with transaction.atomic():
        played = Played(home)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(frequent_names, "FREQUENT", frequent)
            played.play("upload", first)
            for step in steps:
                played.play(*step)
        assert played.answers_kept() == {content_hash(ALL[text]) for text in played.documents}
        assert played.everything() == played.again().everything()
        transaction.set_rollback(True)


@for_examples(12)
@given(steps=st.lists(STEPS, min_size=1, max_size=8), order=st.randoms(use_true_random=False))
def test_undoing_every_decision_leaves_the_graph_of_the_documents(
    home: Datasource, steps: Any, order: Any
) -> None:
    with transaction.atomic():
        played = Played(home)
        played.play("upload", set(range(len(ALL))))
        for step in steps:
            played.play(*step)
        decisions = played.decisions()
        order.shuffle(decisions)
        for decision in decisions:
            services.undo(decision)
        assert played.everything() == played.again().everything()
        transaction.set_rollback(True)
