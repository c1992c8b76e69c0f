"""A statement in the panel of an entity: cut to length around the words it is shown for."""

import pytest

from graph.web.entity_panel import marked


@pytest.mark.parametrize("length", [20, 400])
def test_a_long_statement_is_cut_around_what_it_names(length: int) -> None:
    text = "word " * length + "Apple Inc " + "more " * length
    start = text.index("Apple")
    runs = marked(text, (0, len(text)), [(start, start + 9)], (start, start + 9))
    assert [run.text for run in runs if run.marked] == ["Apple Inc"]
    said = "".join(run.text for run in runs)
    assert len(said) < 320
    assert said.startswith("… ") == (length > 100)
