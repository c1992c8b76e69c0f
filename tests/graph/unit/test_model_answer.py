"""What a model wrote about a passage is read as generously as can be, and refused with a reason."""

import json
from typing import Any

import pytest

from graph.extraction.llm.schema import ModelAnswer, Unreadable, parse, schema
from graph.values.ontology import OTHER, PRESETS, Ontology, Types, type_name

GENERAL = PRESETS[Ontology.GENERAL]
CONTRACTS = PRESETS[Ontology.CONTRACTS]


def entity(**more: Any) -> dict[str, Any]:
    return {"name": "Halden", "types": ["ORGANIZATION"], "description": ""} | more


def relation(**more: Any) -> dict[str, Any]:
    whole = {"source": "A", "target": "B", "type": "", "description": "", "keywords": [], "strength": 5}
    return whole | more


def read(value: Any, types: Types = GENERAL) -> ModelAnswer:
    return parse(value if isinstance(value, str) else json.dumps(value), types)


def test_a_well_formed_answer_is_read_as_it_is() -> None:
    answer = read({"entities": [entity()], "relations": [relation()], "keywords": ["bread"]})
    assert (answer.entities[0].name, answer.entities[0].types) == ("Halden", ["ORGANIZATION"])
    assert (answer.relations[0].strength, answer.keywords) == (5, ["bread"])


@pytest.mark.parametrize(
    "written",
    [
        '{"entities": [{"name": "Halden", "types": ["ORGANIZATION"], "description": "x"}',
        'Here it is: ```json\n{"entities": [{"name": "Halden", "types": "ORGANIZATION, PRODUCT"}]}\n```',
        "{'entities': [{'name': ' Halden ', 'types': null, 'description': null}]}",
    ],
)
def test_an_answer_with_slips_is_repaired(written: str) -> None:
    assert [one.name for one in read(written).entities] == ["Halden"]


@pytest.mark.parametrize("written", ["I cannot do that.", "[]", "{}", '"entities"', ""])
def test_what_is_no_answer_is_refused(written: str) -> None:
    with pytest.raises(Unreadable, match="not a JSON object"):
        read(written)


def test_the_model_is_told_what_is_wrong_and_not_all_of_it() -> None:
    with pytest.raises(Unreadable) as refused:
        read({"entities": [{"types": []}] * 8, "relations": []})
    lines = str(refused.value).splitlines()
    assert lines[0].startswith("entities.0.name: ")
    assert lines[5:] == ["and 3 more of that kind"]


def test_types_outside_of_the_ontology_become_other() -> None:
    answer = read({"entities": [entity(types=["organization", "SHIP"]), entity(types=["SHIP"])]})
    assert [one.types for one in answer.entities] == [["ORGANIZATION"], [OTHER]]


def test_relation_types_are_free_unless_the_ontology_lists_them() -> None:
    said = {"relations": [relation(type="party to"), relation(type="SINGS")]}
    assert [one.type for one in read(said, CONTRACTS).relations] == ["PARTY_TO", ""]


@pytest.mark.parametrize(("written", "strength"), [(99, 10), (-3, 1), (None, 5), ("", 5), ("7", 7)])
def test_a_strength_is_between_1_and_10(written: Any, strength: float) -> None:
    assert read({"relations": [relation(strength=written)]}).relations[0].strength == strength


def test_characters_that_postgres_refuses_are_replaced() -> None:
    answer = read('{"entities": [{"name": "Hal\\u0000den\\ud83d", "types": []}]}')
    assert answer.entities[0].name == "Hal\ufffdden\ufffd"


def test_a_strict_server_gets_a_schema_that_it_accepts() -> None:
    whole = schema(CONTRACTS)
    for part in (whole, *whole["$defs"].values()):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    kinds = whole["$defs"]["WrittenEntity"]["properties"]["types"]["items"]["enum"]
    assert {"AGREEMENT", OTHER} <= set(kinds)
    assert "PARTY_TO" in whole["$defs"]["WrittenRelation"]["properties"]["type"]["enum"]
    assert "enum" not in schema(GENERAL)["$defs"]["WrittenRelation"]["properties"]["type"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("compares to", "COMPARES_TO"), (" sea-port ", "SEA_PORT"), ("…", ""), ("x" * 50, "X" * 40)],
)
def test_a_type_is_written_in_capitals(text: str, name: str) -> None:
    assert type_name(text) == name
