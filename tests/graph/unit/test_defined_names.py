"""Names that headings define: found as whole words, the longest first, in time that grows with the text."""

import time

from graph.extraction.rules.defined_names import DefinedNames
from graph.extraction.rules.document import read_document


def written(text: str, *names: str) -> list[str]:
    return [text[start:end] for start, end in DefinedNames(names).spans(text)]


def test_a_name_is_found_as_whole_words() -> None:
    assert written("Deposits: the Deposit, (Deposit) Deposit-Deposit", "Deposit") == ["Deposit"] * 4
    assert written("a1b C++, C++17", "C++") == ["C++"]


def test_of_names_that_begin_together_the_longest_is_found() -> None:
    text = "The Notice Period is no Notice, and the Notice Periods no Notice Period"
    assert written(text, "Notice", "Notice Period") == ["Notice Period", "Notice", "Notice", "Notice Period"]


def test_a_name_may_be_wrapped() -> None:
    assert written("the Notice\n  Period", "Notice Period") == ["Notice\n  Period"]
    assert written("the Notice, Period", "Notice Period") == []


def test_no_names_find_nothing() -> None:
    assert written("The Notice Period", *[]) == []


def test_a_dictionary_is_read_in_time_that_grows_with_its_length() -> None:
    """Each of its passages begins with a title that may stand in any other."""
    meaning = "It is said that Miraz owns Talboz and Quinez. " * 8
    syllables = ["Ka", "Ven", "Mi", "So", "Tal", "Qui", "Re", "Lu", "Pa", "Xe"]

    def title(number: int) -> str:
        first, *others = (syllables[int(digit)] for digit in f"{number:04}")
        return first + "".join(others).lower() + " Policy"

    passages = [f"{title(number)}\n\n{meaning}" for number in range(6000)]
    begun = time.process_time()
    document = read_document(passages)
    named = sum(len(list(document.headings.spans(text))) for text in passages)
    assert named == len(passages)
    assert time.process_time() - begun < 6
