"""What a model or a file says about a passage is tied to the passage's own words, or left out."""

import pytest

from graph.extraction.grounding import NamedRelation, NamedThing, Text, ground

WORDS = "Mira Okafor founded Halden Foods. In 2009, Halden  Foods opened a bakery in Leeds. It rained."


def place_of(name: str, text: str = WORDS) -> str | None:
    span = Text(text).find(name)
    return text[slice(*span)] if span else None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Mira Okafor", "Mira Okafor"),
        ("MIRA OKAFOR", "Mira Okafor"),
        ("Mira\nOkafor", "Mira Okafor"),
        ("mira-okafor", "Mira Okafor"),
        ("Leeds.", "Leeds."),
        ("Leed", None),
        ("Okafor founded Leeds", None),
        ("…", None),
        ("", None),
    ],
)
def test_a_name_is_found_as_whole_words_however_it_is_written(name: str, words: str | None) -> None:
    assert place_of(name) == words


def test_letters_that_grow_in_lower_case_move_no_place() -> None:
    text = "İstanbul and LEEDS met."
    assert place_of("leeds", text) == "LEEDS"


def test_a_thing_stands_at_its_words_and_in_their_sentence() -> None:
    entity = Text(WORDS).entity(NamedThing(name="Leeds", types=("LOCATION",)))
    assert entity
    assert WORDS[entity.start : entity.end] == "Leeds"
    assert WORDS[slice(*entity.said)].strip() == "In 2009, Halden  Foods opened a bakery in Leeds."


def test_a_paraphrased_thing_stands_at_the_sentence_that_has_most_of_its_name() -> None:
    entity = Text(WORDS).entity(NamedThing(name="opening of the bakery"))
    assert entity
    assert WORDS[entity.start : entity.end].strip() == "In 2009, Halden  Foods opened a bakery in Leeds."


def test_a_thing_without_any_word_in_the_text_is_left_out() -> None:
    assert Text(WORDS).entity(NamedThing(name="Brightwater Group")) is None
    assert Text("").entity(NamedThing(name="Leeds")) is None


def relation(source: str, target: str, description: str = "") -> NamedRelation:
    return NamedRelation(source=source, target=target, description=description)


def test_the_ends_of_a_relation_are_things_even_when_nobody_listed_them() -> None:
    read = ground(Text(WORDS), [], [relation("Mira Okafor", "Halden Foods", "founded it")])
    assert {entity.name for entity in read.entities} >= {"Mira Okafor", "Halden Foods"}
    (said,) = read.relations
    assert WORDS[said.start : said.end].strip() == "Mira Okafor founded Halden Foods."


@pytest.mark.parametrize(
    ("source", "target"), [("Leeds", "leeds"), ("Leeds", ""), ("Leeds", "Brightwater"), ("…", "Leeds")]
)
def test_a_relation_needs_two_things_that_the_text_names(source: str, target: str) -> None:
    assert ground(Text(WORDS), [], [relation(source, target)]).relations == ()


def test_a_title_with_a_qualifier_says_what_its_name_means_here() -> None:
    text = Text("Mercury orbits the Sun.")
    read = ground(text, [NamedThing(name="Mercury")], [relation("Mercury", "Sun")], "Mercury (planet)")
    (mercury,) = [entity for entity in read.entities if entity.name == "Mercury" and not entity.defines]
    assert mercury.stands_for == "Mercury (planet)"
    assert read.relations[0].source == "Mercury (planet)"
