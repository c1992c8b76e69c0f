"""Names that nobody has taken."""

from text.free_names import FreeNames, free_name


def test_a_name_gets_a_number_where_it_is_taken() -> None:
    assert free_name("Leases", []) == "Leases"
    assert free_name("leases", ["Leases", "LEASES (2)"]) == "leases (3)"
    assert free_name("abcdefgh", ["abcdefgh"], longest=8) == "abcd (2)"


def test_thousands_of_one_name_are_told_apart() -> None:
    names = FreeNames(["A (3)"])
    taken = [names.take("A") for _ in range(20_000)]
    assert taken[:4] == ["A", "A (2)", "A (4)", "A (5)"]
    assert len(set(taken)) == 20_000
