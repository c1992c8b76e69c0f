"""The list of business words beside WordNet."""

from pathlib import Path

import english.lexicon


def test_no_line_of_the_business_words_stands_twice() -> None:
    file = Path(english.lexicon.__file__).parent / "data" / "business_words.txt"
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    said = [(line.split()[0], frozenset(line.split()[1:])) for line in lines]
    assert len(said) > 100
    assert [entry for entry in said if said.count(entry) > 1] == []
    assert {kind for kind, _ in said} == {"same", "opposite"}
