"""The claim of a citation is what a reader takes from its sentence, whatever stands around it."""

import pytest

from citations.claims import claim_of
from citations.parse import Tag, parse

TAG = "/citation[c1, words]"


def claims(answer: str) -> list[str | None]:
    return [claim_of(answer, part, complete=True) for part in parse(answer) if isinstance(part, Tag)]


def test_the_claim_is_the_sentence_before_the_tag() -> None:
    answer = (
        "Intro here. Dr. Smith rents No. 5. /citation[a, x]/citation[b, y]\n\n"
        "- The loan of Example Inc. is unpaid /citation[c, z] and late. /citation[d, w]"
    )
    assert claims(answer) == [
        "Dr. Smith rents No. 5.",
        "Dr. Smith rents No. 5.",
        "The loan of Example Inc. is unpaid",
        "The loan of Example Inc. is unpaid and late.",
    ]
    assert claims(TAG) == [""]


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        (f"It is not so that\nthe rent is 450 pounds {TAG}.", "It is not so that the rent is 450 pounds"),
        (f"The rent is 450 pounds {TAG} only if it rains.", "The rent is 450 pounds only if it rains"),
        (f"The rent is 450 pounds {TAG}, but never paid {TAG}.", "The rent is 450 pounds , but never paid"),
        (f"The rent is 450 pounds {TAG} and the tenant pays {TAG}.", "The rent is 450 pounds"),
        (f"The rent is 450 pounds {TAG}; the tenant is dead.", "The rent is 450 pounds"),
        (f"The rent is 450 pounds. {TAG} The tenant is dead.", "The rent is 450 pounds."),
        (f"| Rent | 450 pounds {TAG} | never |", "450 pounds"),
        (f"The rent:\n\n- 450 pounds {TAG}\n- more", "450 pounds"),
        (f"These are false:\n\n- 450 pounds {TAG}", "These are false: 450 pounds"),
        (f"These are false:\n\n- 900 pounds\n- 450 pounds {TAG}", "These are false: 450 pounds"),
        (f"# Rent\n\nIt is 450 pounds {TAG}.\n\nNot so.", "It is 450 pounds"),
        (f"# Rent\nIt is 450 pounds {TAG}.", "It is 450 pounds"),
        (f"# What is untrue\n\n## Rent\n\nIt is 450 {TAG}.", "What is untrue: It is 450"),
        (f"**Myths**\n\nA. It is 450 {TAG}.", "Myths: It is 450"),
        (f"# Myths\n\nNone.\n\n# Facts\n\nIt is 450 {TAG}.", "It is 450"),
        (f"# What is not covered\n\nFloods {TAG}.", "What is not covered: Floods"),
        (f"# What is not covered\n\nFloods are not {TAG}.", "Floods are not"),
        (f"# No-fault evictions\n\nIt is 450 {TAG}.", "It is 450"),
        (f"> Lies of tenants\n>\n> It is 450 {TAG}.", "Lies of tenants: It is 450"),
        (f"> It is wrong.\n\nIt is 450 {TAG}.", "It is 450"),
        (f"| Claim | True? |\n|---|---|\n| It is 450 {TAG} | No, false |", "No, false: It is 450"),
        (f"| | Claim |\n|---|---|\n| False | It is 450 {TAG} |", "False: It is 450"),
        (f"| Myths | Page |\n|---|---|\n| It is 450 {TAG} | 3 |", "Myths: It is 450"),
        (f"| Claim | Untrue? |\n|---|---|\n| It is 450 {TAG} | Yes |", "Yes: It is 450"),
        (f"| Rent | Pets |\n|---|---|\n| It is 450 {TAG} | No dogs |", "It is 450"),
    ],
)
def test_what_turns_a_claim_round_is_part_of_it(answer: str, claim: str) -> None:
    assert claims(answer)[0] == claim


def test_the_rest_of_a_sentence_is_waited_for() -> None:
    known = f"The rent is 450 pounds {TAG}"
    (_, tag) = parse(known)
    assert isinstance(tag, Tag)
    assert claim_of(known, tag, complete=False) is None
    assert claim_of(f"{known} only if", tag, complete=False) is None
    assert claim_of(f"{known}.", tag, complete=False) == "The rent is 450 pounds"
    assert claim_of(f"{known} only if it rains. Now", tag, complete=False) == (
        "The rent is 450 pounds only if it rains"
    )


def test_the_rest_of_a_row_is_waited_for() -> None:
    known = f"| Claim | True? |\n|---|---|\n| It is 450 {TAG}"
    tag = next(part for part in parse(known) if isinstance(part, Tag))
    assert claim_of(f"{known} | No", tag, complete=False) is None
    assert claim_of(f"{known} | No |\n", tag, complete=False) == "No: It is 450"
