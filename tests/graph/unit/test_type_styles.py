"""Types that stand beside each other can be told apart by their colours."""

import pytest

from graph.values.ontology import PRESETS, Ontology
from graph.values.type_styles import TONES, type_style

BY_RULES = (
    "PERSON",
    "ORGANIZATION",
    "LOCATION",
    "EVENT",
    "TERM",
    "TOPIC",
    "NAME",
    "REFERENCE",
    "AMOUNT",
    "DATE",
    "CODE",
)


@pytest.mark.parametrize("types", [*(list(PRESETS[one].entities) for one in Ontology), BY_RULES])
def test_no_two_types_of_one_graph_share_a_colour(types: list[str]) -> None:
    tones = [type_style(key).tone for key in types]
    assert len(set(tones)) == len(tones)
    assert set(tones) <= set(TONES)
