"""A requirement is cut into parts by its own punctuation."""

from desks.compliance.checks.parts import MOST_PARTS, parts_of
from desks.compliance.checks.scope import normal_ref


def test_semicolons_labels_sentences_and_additions_divide() -> None:
    assert parts_of("The plan names owners; it is tested yearly; and results are told. They are kept.") == [
        "The plan names owners",
        "it is tested yearly",
        "results are told. They are kept.",
    ]
    assert parts_of("It includes: (a) the places where data is kept; (b) the duty to give notice") == [
        "the places where data is kept",
        "the duty to give notice",
    ]
    places = parts_of(
        "the locations where services are to be provided, including the storage location of the data, and "
        "the requirement for the provider to notify the entity"
    )
    assert len(places) == 3
    assert places[0] == "the locations where services are to be provided"


def test_a_short_text_is_one_part_and_a_long_one_has_few() -> None:
    assert parts_of("Audit rights.") == ["Audit rights."]
    many = parts_of("; ".join(f"the supplier has to do the thing number {n}" for n in range(40)))
    assert len(many) == MOST_PARTS
    assert "number 39" in many[-1]


def test_references_are_found_as_people_write_them() -> None:
    assert normal_ref("Art. 30(2)(b)") == normal_ref("30.2.b") == normal_ref("Article 30 (2) (b)") == "30.2.b"
    assert normal_ref("Chapter V") == "chapter v"
