"""Which documents are alike: the map grows with each upload, and a deleted document leaves it."""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from django.db import connection

from accounts.models import User
from datasources.models import Datasource, Document
from graph.document_map import build, queries
from graph.layout.drawing import lay_out
from graph.models import DocumentNode
from graph.tasks import lay_out_graph
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge

PASSAGES = {
    "Tides": "The Moon pulls the oceans, so the Atlantic Ocean rises at high tide twice a day near Brest.",
    "Waves": "Wind over the Atlantic Ocean raises waves; at Brest the highest waves arrive with the tide.",
    "Currents": "The Gulf Stream carries warm water of the Atlantic Ocean north, past Brest and its tide.",
    "Bread": "Knead flour, water and salt, let the dough of the Baguette rise, and bake it in a hot oven.",
    "Rolls": "Shape the dough of the Baguette into rolls, let the flour and yeast rise, and bake them hot.",
}


@pytest.fixture
def mapped(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add(contracts, alice, PASSAGES)
    work()
    build.rebuild(contracts.pk)
    return contracts


def add(datasource: Datasource, user: User, passages: dict[str, str]) -> None:
    lines = "\n".join(json.dumps({"title": title, "text": text}) for title, text in passages.items())
    accept_upload(datasource, user, f"{len(passages)}.jsonl", io.BytesIO(lines.encode()))


def groups_by_title(datasource: Datasource) -> dict[str, str]:
    return {node.document.title: node.group for node in queries.nodes_of(datasource)}


@pytest.mark.django_db(transaction=True)
def test_documents_about_one_thing_are_linked_and_grouped(mapped: Datasource) -> None:
    drawn = queries.node_link(mapped, queries.View())
    titles = {node["id"]: node["title"] for node in drawn["nodes"]}
    linked = {frozenset((titles[edge["source"]], titles[edge["target"]])) for edge in drawn["edges"]}
    assert {frozenset(("Tides", "Waves")), frozenset(("Bread", "Rolls"))} <= linked
    assert frozenset(("Tides", "Bread")) not in linked
    groups = groups_by_title(mapped)
    assert groups["Tides"] == groups["Waves"] == groups["Currents"] != groups["Bread"] == groups["Rolls"]
    assert groups["Tides"] in {"Atlantic Ocean", "Brest"}
    assert {"name": groups["Bread"], "documents": 2} in drawn["groups"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by", ["text", "entities"])
def test_the_nearest_documents_and_what_they_share(mapped: Datasource, by: queries.By) -> None:
    tides = mapped.documents.get(title="Tides")
    near = queries.neighbours(tides, queries.View(by=by))
    assert {one.document.title for one in near[:2]} == {"Waves", "Currents"}
    assert near[0].score > near[-1].score
    assert {"Brest", "Atlantic Ocean"} & {entity.name for entity in near[0].shared}
    assert [entity.name for entity in queries.only_here(tides)] == ["Moon"]


@pytest.mark.django_db(transaction=True)
def test_a_deleted_document_leaves_the_map(mapped: Datasource) -> None:
    purge(mapped.documents.get(title="Waves"))
    assert "Waves" not in groups_by_title(mapped)
    lay_out_graph(mapped.pk)
    assert set(groups_by_title(mapped)) == PASSAGES.keys() - {"Waves"}
    assert DocumentNode.objects.count() == Document.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_drawing_again_moves_nothing_far(mapped: Datasource) -> None:
    def places() -> dict[int, tuple[float, float]]:
        return {node.document_id: (node.x or 0.0, node.y or 0.0) for node in queries.nodes_of(mapped)}

    before = places()
    build.rebuild(mapped.pk)
    for pk, (x, y) in places().items():
        assert np.hypot(x - before[pk][0], y - before[pk][1]) < 0.5


@pytest.mark.django_db(transaction=True)
def test_a_document_can_be_deleted_while_the_map_is_drawn(
    mapped: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not wait for the drawing, and the drawing brings none of its words back."""

    def deleted_meanwhile(*given: Any) -> Any:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(purge_at_once).result()
        return lay_out(*given)

    def purge_at_once() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '2s'")
            purge(mapped.documents.get(title="Bread"))
        finally:
            connection.close()

    monkeypatch.setattr(build, "lay_out", deleted_meanwhile)
    name = groups_by_title(mapped)["Bread"]
    build.rebuild(mapped.pk)
    assert name not in groups_by_title(mapped).values()
    monkeypatch.undo()
    build.rebuild(mapped.pk)
    assert groups_by_title(mapped)["Rolls"] == ""
