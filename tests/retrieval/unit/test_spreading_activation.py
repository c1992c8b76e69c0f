"""How much a link carries, and to which passages."""

from retrieval.legs.spreading_activation import Activation, Entity

QUESTION = "Where did the writer of Harbour Lights grow up?"
TEXTS = {
    1: "Harbour Lights is a novel by the writer Ingrid Solberg.",
    2: "Ingrid Solberg keeps bees. Her novel is about the lights over a harbour and its writer.",
    3: "Ingrid Solberg keeps bees. She grew up in a town by the sea.",
}
OUT_OF_SCOPE = 4


def solberg() -> Entity:
    entity = Entity(name="Ingrid Solberg", homes={2, 3, OUT_OF_SCOPE})
    entity.sources[1] = TEXTS[1]
    return entity


def test_a_link_carries_more_to_the_passage_that_has_what_its_source_lacks() -> None:
    activation = Activation.begin(QUESTION, TEXTS, dict.fromkeys(TEXTS, 0.5))
    carried = activation.spread([solberg()], {1: 1.0})
    assert carried[3] > carried[2] > 0


def test_no_link_leads_out_of_the_scope_or_back_to_its_source() -> None:
    activation = Activation.begin(QUESTION, TEXTS, dict.fromkeys(TEXTS, 0.5))
    assert activation.spread([solberg()], {1: 1.0}).keys() == {2, 3}
