"""The graph goes out and comes in again unchanged; what other tools found comes in as well."""

import io
import json
import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from io import StringIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from graph.aggregate import mentions, update
from graph.curation import services
from graph.exchange import jsonl_import
from graph.exchange.jsonl_export import export_rows
from graph.exchange.jsonl_import import import_graph
from graph.exchange.rows import Imported
from graph.extraction.llm.cache import content_hash
from graph.models import Entity, EntityMention, EntityName, Relation, RelationMention
from graph.values.extraction import ExtractedEntity, ExtractedRelation, Extraction
from tests.factories import make_chunk
from tests.graph.corpus import TEXTS, picture, upload

pytestmark = pytest.mark.django_db

LONG = ("Mira Okafor founded Halden Foods in 2009.", "Brightwater\nGroup bought Halden Foods.", "It rained.")


def again(home: Datasource, name: str = "Equal") -> Datasource:
    """A datasource with the same documents, read but without a graph."""
    other = create_datasource(home.owner, name)
    for document in home.documents.order_by("pk"):
        chunks = list(document.chunks.order_by("index"))
        document.pk, document.datasource = None, other
        document.save()
        for chunk in chunks:
            chunk.pk, chunk.document, chunk.datasource = None, document, other
            chunk.save()
    return other


def lines(datasource: Datasource) -> list[str]:
    return [json.dumps(row) for row in export_rows(datasource)]


def bring(datasource: Datasource, *rows: Any) -> Imported:
    return take(datasource, [row if isinstance(row, str) else json.dumps(row) for row in rows])


def take(datasource: Datasource, rows: Iterable[str]) -> Imported:
    return import_graph(datasource, io.BytesIO("\n".join(rows).encode()))


def report_of(datasource: Datasource, texts: tuple[str, ...] = LONG) -> Document:
    """One ready document of several chunks, which has no graph."""
    document = Document.objects.create(
        datasource=datasource,
        title="Report",
        filename="report.pdf",
        mime="application/pdf",
        size=1,
        sha256="7" * 64,
        status=DocumentStatus.READY,
    )
    at = 0
    for index, text in enumerate(texts):
        make_chunk(document, text, index=index, start=at)
        at += len(text) + 1
    return document


def decide(datasource: Datasource, documents: list[Document]) -> None:
    """One decision of each kind."""

    def entity(key: str) -> Entity:
        return Entity.objects.get(datasource=datasource, names__key=key, names__sense="")

    services.rename(entity("apple"), "Apple Computer")
    services.retype(entity("queen"), ["BAND"])
    services.hide(entity("zanzibar"))
    services.add_alias(entity("nasa"), "Space Agency")
    services.merge(entity("brian may"), entity("cupertino"))
    services.split(EntityName.objects.get(datasource=datasource, key="microsoft", sense=""), documents[5])


def test_the_whole_graph_goes_out_and_comes_in_unchanged(home):
    documents = upload(home, *TEXTS)
    decide(home, documents)
    expected, rows = picture(home), lines(home)
    equal = again(home)
    done = take(equal, rows)
    assert (done.malformed, done.unknown, done.unplaced) == (0, 0, 0)
    assert without_numbers(picture(equal)) == without_numbers(expected)
    assert [json.loads(row) for row in lines(equal)] == [json.loads(row) for row in rows]


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


@st.composite
def extractions(draw: st.DrawFn, text: str) -> Extraction:
    """Whatever an extractor might have found in the text."""
    spans = [m.span() for m in re.finditer(r"\w+(?: \w+)?", text)]
    places = draw(st.lists(st.sampled_from(spans), min_size=1, max_size=5))
    entities = tuple(
        ExtractedEntity(
            name=text[start:end],
            types=tuple(draw(st.sets(st.sampled_from(["PERSON", "WORK", "Ü"])))),
            description=draw(WORDS),
            start=start,
            end=end,
            said=(0, end),
            defines=draw(st.booleans()),
            stands_for=draw(st.sampled_from(["", "", "Mira  Okafor", "Halden Foods, Inc."])),
        )
        for start, end in places
    )
    names = st.sampled_from([entity.stands_for or entity.name for entity in entities])
    relations = tuple(
        ExtractedRelation(
            source=draw(names),
            target=draw(names),
            description=draw(WORDS),
            start=0,
            end=draw(st.integers(0, len(text))),
            keywords=tuple(draw(st.lists(WORDS, max_size=2))),
            strength=draw(st.floats(0, 10)),
        )
        for _ in range(draw(st.integers(0, 4)))
    )
    return Extraction(entities=entities, relations=relations)


@settings(max_examples=8, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_was_found_goes_out_and_comes_in_unchanged(home, data):
    source = create_datasource(home.owner, f"Source {Datasource.objects.count()}")
    document = report_of(source)
    chunks = list(document.chunks.order_by("index"))
    for extractor in ("rules", "model x"):
        mentions.store(chunks, [data.draw(extractions(chunk.text)) for chunk in chunks], extractor)
    update.change(source.pk, added=[document.pk])
    equal = again(source, f"Equal {Datasource.objects.count()}")
    done = take(equal, lines(source))
    assert done.malformed == 0
    assert picture(equal) == picture(source)
    assert lines(equal) == lines(source)


def without_numbers(found: dict[str, Any]) -> str:
    """A sense that people split off bears the number of its document, which no two datasources share."""
    text = json.dumps(found, default=list)
    for pk in Document.objects.order_by("-pk").values_list("pk", flat=True):
        text = text.replace(f'"document {pk}"', '"document"')
    return text


def test_importing_twice_changes_nothing(home):
    documents = upload(home, *TEXTS)
    decide(home, documents)
    rows, expected = lines(home), picture(home)
    take(home, rows)
    take(home, reversed(rows))
    assert picture(home) == expected
    assert home.graph_decisions.count() == 6


def test_an_import_takes_the_place_of_what_rules_had_found(home):
    (document,) = upload(home, TEXTS[0])
    assert Entity.objects.filter(name="Tim Cook").exists()
    row = {
        "document": document.pk,
        "entities": [{"name": "Cupertino", "type": "city", "description": "Cupertino is where Apple sits."}],
        "relations": [
            {
                "source": "Apple Inc.",
                "target": "Cupertino",
                "description": "Apple Inc. sits in it.",
                "weight": 3,
            }
        ],
    }
    done = bring(home, row)
    assert (done.documents, done.entities, done.relations) == (1, 2, 1)
    assert {e.name for e in Entity.objects.filter(datasource=home)} == {"Cupertino", "Apple Inc."}
    city = Entity.objects.get(name="Cupertino")
    assert (city.types, city.description) == (["CITY"], "Cupertino is where Apple sits.")
    relation = Relation.objects.get(datasource=home)
    assert (relation.strength, relation.description) == (3, "Apple Inc. sits in it.")


def test_a_row_about_a_document_is_tied_to_the_chunks_that_say_it(home):
    report_of(home)
    triple = ["Brightwater Group", "bought", "Halden Foods"]
    bring(home, {"title": "report.pdf", "entities": ["Mira Okafor", "Halden Foods"], "triples": [triple]})
    places = EntityMention.objects.filter(name="Halden Foods").values_list("chunk__index", flat=True)
    assert sorted(places) == [0, 1]
    mention = RelationMention.objects.get()
    assert mention.chunk.index == 1
    assert mention.said == "Brightwater Group bought Halden Foods"
    company = EntityMention.objects.get(name="Brightwater Group")
    assert company.chunk.text[company.start : company.end] == "Brightwater\nGroup"


def test_a_graph_of_other_chunks_is_tied_to_the_words_again(home):
    """The same file cut differently: places are looked for, nothing is lost."""
    document = report_of(home)
    bring(home, {"document": document.pk, "triples": [["Mira Okafor", "founded", "Halden Foods"]]})
    rows = lines(home)
    other = create_datasource(home.owner, "Cut differently")
    report_of(other, (f"{LONG[0]}\n{LONG[1]}", LONG[2]))
    take(other, rows)
    relation = Relation.objects.get(datasource=other)
    assert (relation.source.name, relation.target.name) == ("Mira Okafor", "Halden Foods")


def test_malformed_rows_are_counted_and_told_and_the_others_come_in(home):
    document = report_of(home, (LONG[0], LONG[2]))
    done = bring(
        home,
        "{not json",
        "[1]",
        {"entities": ["Halden Foods"]},
        {"title": "No such report", "entities": ["Halden Foods"]},
        {"sha256": document.sha256, "entities": "Halden Foods"},
        {
            "sha256": document.sha256,
            "entities": ["Halden Foods", "\0", {"type": "PERSON"}, 7, "Zebra Ltd"],
            "triples": [["Mira Okafor", "founded"], ["Mira Okafor", "founded", "Halden Foods"], None],
        },
        {
            "sha256": document.sha256,
            "entities": [{"name": "Mira Okafor", "at": [5, 10**12], "said": [0, 3]}],
            "chunk": 0,
            "chunk_sha256": "0",
        },
    )
    assert (done.rows, done.documents, done.unknown, done.malformed, done.unplaced) == (7, 1, 1, 9, 1)
    assert done.problems[0].startswith("line 1: not JSON")
    assert "line 6: " in "".join(done.problems)
    assert {e.name for e in Entity.objects.filter(datasource=home)} == {"Mira Okafor", "Halden Foods"}
    assert Relation.objects.count() == 1


def test_ready_passages_of_one_title_are_told_apart_by_their_text(home):
    for text in ("Green is a village in Ohio.", "Green is a singer."):
        (document,) = upload(home, f"Green\n{text}")
        document.title, document.sha256 = "Green", content_hash(f"Green\n{text}")
        document.save()
    row = {
        "title": "Green",
        "text": "Green is a village in Ohio.",
        "extracted_triples": [["Green", "is in", "Ohio"]],
    }
    assert bring(home, row).documents == 1
    assert bring(home, {"title": "Green", "entities": ["Ohio"]}).unknown == 1, "there are two of that title"
    assert RelationMention.objects.get().chunk.text.endswith("Ohio.")


def test_export_and_import_as_commands(home, tmp_path, capsys):
    upload(home, *TEXTS[:3])
    home.owner.is_superuser = True
    home.owner.save()
    file, expected = tmp_path / "graph.jsonl", picture(home)
    call_command("export_graph", "home", "--output", str(file))
    update.change(home.pk, removed=list(home.documents.values_list("pk", flat=True)))
    assert not Entity.objects.exists()
    out = StringIO()
    call_command("import_graph", "home", str(file), stdout=out)
    assert "3 rows about 3 documents" in out.getvalue()
    assert picture(home) == expected
    with pytest.raises(CommandError, match="no datasource"):
        call_command("import_graph", "nowhere", str(file))


def test_graphml_and_json_for_drawing(home, capsys):
    upload(home, *TEXTS, "A & B Holdings <em> owns Ümlaut GmbH in New York City.")
    services.hide(Entity.objects.get(names__key="nasa"))
    home.owner.is_superuser = True
    home.owner.save()
    call_command("export_graph", "Home", "--format", "graphml")
    root = ET.fromstring(capsys.readouterr().out)
    tag = "{http://graphml.graphdrawing.org/xmlns}"
    shown = Entity.objects.filter(hidden=False)
    nodes = {node.get("id"): node for node in root.iter(f"{tag}node")}
    names = {node.findtext(f"{tag}data[@key='node_name']") for node in nodes.values()}
    assert names == {entity.name for entity in shown}
    assert "NASA" not in names
    assert all({edge.get("source"), edge.get("target")} <= nodes.keys() for edge in root.iter(f"{tag}edge"))
    call_command("export_graph", "Home", "--format", "json")
    drawn = json.loads(capsys.readouterr().out)
    assert len(drawn["nodes"]) == shown.count()
    assert any(edge["type"] for edge in drawn["edges"])
    assert [edge["type"] for edge in drawn["edges"]] == [
        edge.findtext(f"{tag}data[@key='edge_type']") or "" for edge in root.iter(f"{tag}edge")
    ]


class Endless(io.RawIOBase):
    """A line about a document, then one that never ends; nothing of it is on a disk."""

    head = b'{"document": "Report", "entities": ["Ada Lovelace"]}\n'

    def __init__(self, size: int) -> None:
        self.size = size
        self.place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.place = offset
        return offset

    def tell(self) -> int:
        return self.place

    def readinto(self, buffer: Any) -> int:
        count = min(len(buffer), self.size - self.place)
        part = self.head[self.place : self.place + count]
        buffer[:count] = part + b"a" * (count - len(part))
        self.place += count
        return count


def test_a_line_without_end_is_passed_over_in_linear_time(home):
    report_of(home)
    begun = time.process_time()
    done = import_graph(home, io.BufferedReader(Endless(160 * 2**20)))
    assert time.process_time() - begun < 5
    assert (done.rows, done.documents, done.malformed) == (2, 1, 1)
    assert done.problems[0].startswith("line 2: 167,772,")
    assert done.problems[0].endswith("bytes; a line may have 1,048,576")


@pytest.mark.parametrize("line", ["[" * 100_000, '{"document": "Report", "entities": ' + "[" * 100_000])
def test_a_row_that_breaks_parsers_is_passed_over(home, line):
    report_of(home)
    done = bring(home, line, {"document": "Report", "entities": ["Ada Lovelace"]})
    assert (done.documents, done.malformed) == (1, 1)


def test_a_document_takes_no_more_than_fits_in_memory(home, monkeypatch):
    monkeypatch.setattr(jsonl_import, "PARTS_AT_ONCE", 5)
    report_of(home)
    done = bring(home, *[{"document": "Report", "entities": [f"Thing {n}"]} for n in range(9)])
    assert done.documents == 1
    assert "a document may have 5" in " ".join(done.problems)


def test_an_import_stops_when_nobody_waits_for_it(home):
    report_of(home)
    with pytest.raises(jsonl_import.NobodyWaits):
        import_graph(home, io.BytesIO(Endless.head), lambda: True)
    assert not EntityMention.objects.exists()


def test_a_file_over_the_limit_is_refused(home, client, settings):
    settings.MAX_GRAPH_IMPORT_BYTES = 2**20
    client.force_login(home.owner)
    file = SimpleUploadedFile("g.jsonl", b"\n" * 3 * 2**20)
    answer = client.post(f"/api/v1/data-sources/{home.pk}/graph/import", {"file": file})
    assert answer.status_code == 413
    assert answer.json()["message"].startswith("The file has 3 MB; 1 MB are allowed.")
