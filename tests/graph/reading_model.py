"""A chat model that reads for the graph as a script says, and the documents it reads."""

import json
from decimal import Decimal
from typing import Any

from datasources.models import Datasource, Document, DocumentStatus
from graph.models import GraphExtractor, GraphSettings
from graph.services import change_extraction
from graph.steps import FindMentions
from graph.values.ontology import Ontology
from ingestion import pipeline
from ingestion.models import Page
from ingestion.run import start
from tests.factories import make_chunk
from tests.openai_server import ScriptedReply, text_reply

TEXTS = [
    "Mira Okafor founded Halden Foods in 2009.",
    "Brightwater Group bought Halden Foods from Mira Okafor.",
    "Halden Foods bakes bread in Leeds for Brightwater Group.",
]


PRICE = {"LLM_PRICE_INPUT": Decimal(1000), "LLM_PRICE_OUTPUT": Decimal(2000)}


def passage_of(request: dict[str, Any]) -> str:
    return str(request["messages"][1]["content"])


def answer(text: str) -> str:
    """What a model would say: the capitalised names, and a relation of the first two."""
    names = [name for name in ("Mira Okafor", "Halden Foods", "Brightwater Group", "Leeds") if name in text]
    return json.dumps(
        {
            "entities": [
                {
                    "name": name,
                    "types": ["PERSON" if name.startswith("Mira") else "ORGANIZATION"],
                    "description": f"{name} is told of: {text}",
                }
                for name in names
            ],
            "relations": [
                {
                    "source": names[0],
                    "target": names[1],
                    "type": "",
                    "description": f"It is said: {text}",
                    "keywords": ["business"],
                    "strength": 8,
                }
            ],
            "keywords": ["baking", "ownership"],
        }
    )


def well(request: dict[str, Any]) -> ScriptedReply:
    return text_reply(answer(passage_of(request)), usage=(100, 50))


def document_of(datasource: Datasource, texts: list[str] = TEXTS, title: str = "Halden") -> Document:
    """A document whose chunks are cut and wait for the graph."""
    document = Document.objects.create(
        datasource=datasource,
        title=title,
        filename="a.pdf",
        mime="application/pdf",
        size=1,
        sha256=f"{Document.objects.count():064d}",
        status=DocumentStatus.LINKING,
        page_count=1,
        chunk_count=len(texts),
    )
    Page.objects.create(document=document, number=1, text="\n".join(texts))
    at = 0
    for index, text in enumerate(texts):
        make_chunk(document, text, index=index, start=at)
        at += len(text) + 1
    return document


def read(document: Document) -> Document:
    """The last steps of the pipeline, as a worker does them."""
    run = start(document.pk, lambda: False)
    assert run
    FindMentions().run(run)
    pipeline.publish(run)
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    return document


def choose_extractor(datasource: Datasource, extractor: GraphExtractor) -> None:
    """As the owner does; all other choices stay."""
    chosen = GraphSettings.objects.of(datasource)
    change_extraction(
        datasource,
        extractor=extractor,
        ontology=Ontology(chosen.ontology),
        entity_types=chosen.entity_types,
        relation_types=chosen.relation_types,
        tokens=chosen.token_budget,
        money=chosen.money_budget,
    )
