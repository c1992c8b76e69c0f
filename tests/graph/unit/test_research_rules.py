"""Papers read without a model: which types the words around a name give it, and what sentences say of two."""

import pytest

from graph.extraction.rules.extractor import Rules
from graph.values.extraction import Extraction
from graph.values.ontology import PRESETS, Ontology

ABSTRACT = """LanternSort: Sorting Lanterns by Their Light

Ada Byron, Carl Gauss, Emmy Noether

Abstract

We propose LanternSort, which outperforms WickNet on the HarbourLights dataset. It is trained with the
Wick Descent algorithm. Counting lights (CL) is hard. We evaluate on HarbourLights, DimCount and 2LampHops,
and report the F1 score and accuracy. Retrieval is measured by nDCG@10."""


def read(*texts: str) -> Extraction:
    parts = Rules(PRESETS[Ontology.RESEARCH]).extract("Paper", texts)
    return Extraction(
        entities=tuple(entity for part in parts for entity in part.entities),
        relations=tuple(relation for part in parts for relation in part.relations),
    )


def types_in(*texts: str) -> dict[str, str]:
    return {entity.name: entity.types[0] for entity in read(*texts).entities}


def test_words_around_a_name_tell_its_type() -> None:
    told = types_in(ABSTRACT)
    assert told["LanternSort"] == told["WickNet"] == "METHOD"
    assert (told["Wick Descent"], told["Counting lights"]) == ("ALGORITHM", "CONCEPT")
    assert {told[name] for name in ("HarbourLights", "DimCount", "2LampHops")} == {"DATASET"}
    assert {told[name] for name in ("F1 score", "accuracy", "nDCG@10")} == {"METRIC"}
    assert told["Carl Gauss"] == told["Emmy Noether"] == "PERSON"


def test_one_passage_tells_the_type_for_all_of_the_document() -> None:
    entities = read(
        "HarbourLights is a benchmark of 900 pictures.", "The lights of HarbourLights are dim."
    ).entities
    assert [entity.types[0] for entity in entities if entity.name == "HarbourLights"] == ["DATASET"] * 2


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("LanternSort outperforms WickNet.", ("LanternSort", "IMPROVES", "WickNet")),
        ("LanternSort is outperformed by WickNet.", ("WickNet", "IMPROVES", "LanternSort")),
        ("LanternSort is based on WickNet.", ("LanternSort", "BASED_ON", "WickNet")),
        ("LanternSort extends the WickNet model.", ("LanternSort", "BASED_ON", "WickNet")),
        ("We compare LanternSort with WickNet.", None),
        ("LanternSort is compared with WickNet.", ("LanternSort", "COMPARES_TO", "WickNet")),
        ("LanternSort uses WickNet.", ("LanternSort", "USES", "WickNet")),
        ("LanternSort was evaluated on the WickPics dataset.", ("LanternSort", "APPLIES_TO", "WickPics")),
        ("LanternSort is not based on WickNet.", None),
        ("Unlike LanternSort, the WickNet model uses lamps.", None),
    ],
)
def test_a_sentence_relates_two_things_by_its_verb(sentence: str, said: tuple[str, str, str] | None) -> None:
    typed = [
        (each.source, each.keywords[0], each.target)
        for each in read(sentence).relations
        if each.keywords and each.keywords[0].isupper()
    ]
    assert typed == ([said] if said else [])


def test_the_verb_goes_with_its_own_subject_and_object() -> None:
    relations = read("LanternSort uses WickNet and is evaluated on the HarbourLights dataset.").relations
    said = {(each.source, each.keywords[0], each.target) for each in relations if each.keywords}
    assert said == {
        ("LanternSort", "USES", "WickNet"),
        ("LanternSort", "APPLIES_TO", "HarbourLights"),
    }


def test_contracts_are_read_as_before() -> None:
    text = "BERT Limited proposes the Lantern model on the Harbour dataset."
    plain = Rules().extract("Deal", [text])
    assert Rules(PRESETS[Ontology.CONTRACTS]).extract("Deal", [text]) == plain
    assert "METHOD" not in {kind for entity in plain[0].entities for kind in entity.types}
