"""Documents that graphs are made of, and all of a graph as values that can be compared."""

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from graph.aggregate import mentions, update
from graph.extraction.rules.extractor import Rules
from graph.models import Entity, EntityMention, Relation
from ingestion.models import Chunk
from tests.factories import make_chunk

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


def store(datasource: Datasource, text: str) -> tuple[Document, Chunk]:
    """A document of one chunk with its mentions, which do not count yet."""
    document = Document.objects.create(
        datasource=datasource,
        title=text[:20],
        filename="a.txt",
        mime="text/plain",
        size=len(text),
        sha256=hash_of(text),
        status=DocumentStatus.READY,
    )
    chunk = make_chunk(document, text)
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
            (
                e.key,
                senses.get(e.sense, e.sense),
                e.name,
                e.types,
                e.description,
                e.mention_count,
                e.document_count,
                e.hidden,
                sorted(
                    (n.key, senses.get(n.sense, n.sense), n.name, n.types, n.count) for n in e.names.all()
                ),
            )
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
    }


def fresh(texts: Sequence[str]) -> dict[str, Any]:
    """The picture of a new datasource with these documents."""
    datasource = create_datasource(User.objects.get(), f"fresh {Datasource.objects.count()}")
    upload(datasource, *texts)
    result = picture(datasource)
    update.drop(datasource.pk)
    datasource.delete()
    return result


COMMON = settings(
    max_examples=12,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


PAIRS = (
    "John Smith leads Halden Foods in Oslo. John Smith was born in Bergen.",
    "J. Smith signed for Halden Foods. In Oslo, J. Smith met Mira Okafor.",
    "The World Health Organisation wrote to Mira Okafor.",
    "The World Health Organization answered Mira Okafor in Oslo.",
)


def named(datasource: Datasource, key: str) -> Entity:
    return Entity.objects.get(datasource=datasource, names__key=key, names__sense="")


LETTERS = {
    "Letter": "Tim Cook leads Apple Inc. in Cupertino. Brian May wrote to Tim Cook on 3 May 2021.",
    "Notice": "Apple Inc. bought Beats Electronics for $3 billion. Tim Cook signed it.",
    "Story": "Queen sang in Zanzibar. Brian May met Queen there.",
}


def learn(document: Document) -> None:
    """What the document says enters the graph."""
    chunks = list(Chunk.objects.filter(document=document))
    found = Rules().extract(document.title, [chunk.text for chunk in chunks])
    mentions.store(chunks, found, Rules.name)
    update.change(document.datasource_id, added=[document.pk])


def entity(datasource: Datasource, name: str) -> Entity:
    return Entity.objects.get(datasource=datasource, name=name)
