"""Answers without a language model from documents of several kinds: a lease, its deed, a report."""

import pytest

from providers.minilm.loaded import local_embedder
from providers.protocols import Embedder
from tests.answering.integration.answers.test_extractive_answers import Shelf, ask

LEASE, DEED, SERVICES = "Lease of Mill House", "Deed of Variation", "Services agreement Orrin"
LETTER, REPORT = "Amendment letter Orrin", "2023 Q1 report"
TEXTS = [
    (
        LEASE,
        'This Lease is made between Alder Holdings Limited (the "Landlord") and Finch Bakers LLP '
        '(the "Tenant").\n1.1 "Annual Rent" means £62,500.\n1.2 The Tenant may end this Lease on the Break '
        "Date by giving six months' written notice.\n1.3 The liability of the Landlord is limited to "
        "£300,000.\n1.4 The Tenant has paid a deposit of £15,000, to be returned within thirty days after "
        "the end of the Term.\nSigned for Finch Bakers LLP by Thomas Finch, Member\n",
    ),
    (
        DEED,
        "This Deed is supplemental to the Lease of Mill House.\n2.1 In clause 1.2 of the Lease the words "
        '"six months\'" are replaced by "nine months\'".\n2.2 In clause 1.3 of the Lease "£300,000" is '
        'replaced by "£450,000".\n2.3 With effect from 1 October 2024 the Annual Rent is £70,000.\n'
        "3.1 In all other respects the Lease continues in full force.\n",
    ),
    (
        SERVICES,
        "This Agreement starts on 3 February 2025.\n2.1 The Client shall pay a fixed fee of £18,400.\n"
        "2.2 Invoices fall due 30 days after receipt.\n2.3 The liability of the Consultant shall not exceed "
        "150% of the fees.\nSigned by Eilidh Mackay for the Consultant\n",
    ),
    (
        LETTER,
        "This letter amends the Services agreement Orrin.\n1.1 In clause 2.1 of the Agreement the words "
        '"£18,400" are replaced by "£19,000".\n',
    ),
    (
        REPORT,
        "This Quarterly Report on Form 10-Q is not audited.\nOur certificates of deposit were worth $316 "
        "million. Certificates of deposit of $58 million are cash equivalents.\nIn the first nine months of "
        "fiscal year 2023 we returned $9.29 billion to shareholders.\nBy: /s/ Colette M. Kress\n",
    ),
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return local_embedder()


@pytest.fixture
def mixed(embedder: Embedder) -> Shelf:
    return Shelf(TEXTS, embedder)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How much is the deposit?", "£15,000"),
        ("What is the rent now?", "£70,000"),
        ("When did the rent change?", "1 October 2024"),
        ("How much is the fee?", "£18,400"),
        ("Who signed the quarterly report?", "Colette M. Kress"),
    ],
)
def test_the_sentence_on_the_very_point_comes_first(mixed: Shelf, question: str, first: str) -> None:
    _, tags = ask(mixed, question)
    assert first in tags[0].quote


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Who signed the quarterly report?", REPORT),
        ("Who signed the lease?", LEASE),
        ("Who signed the lease agreement?", LEASE),
        ("Who signed the services agreement?", SERVICES),
    ],
)
def test_a_document_that_is_named_by_its_kind_answers_alone(mixed: Shelf, question: str, title: str) -> None:
    _, tags = ask(mixed, question)
    assert tags
    assert {mixed.title(tag.key) for tag in tags} == {title}


def test_each_part_of_a_question_is_answered_with_what_amends_it(mixed: Shelf) -> None:
    _, tags = ask(mixed, "How much is the fee and what notice must the Tenant give?")
    told = " ".join(tag.quote for tag in tags)
    assert all(words in told for words in ("£18,400", "six months", "nine months"))


TENANCY, SIDE_LETTER = "Flat 9", "scan 0231"
LETTERS = [
    (
        TENANCY,
        "Assured Shorthold Tenancy Agreement\nDate: 22 August 2025\n\n3. Deposit. The Tenants shall pay a "
        "deposit of £1,136.\n\n5. Use. The Tenants shall not keep any animal at the Property.\n\n"
        "8. Ending. Either side may end the tenancy by at least two months' notice.",
    ),
    (
        SIDE_LETTER,
        "Your tenancy agreement dated 22 August 2025\nDear Owen,\n2. In spite of clause 5 of the tenancy "
        "agreement you may keep one cat.\n3. You will pay an additional deposit of £150.\n"
        "4. The notice under clause 8 is one month instead of two months if it is given by you.\n"
        "Everything else in the tenancy agreement remains as it is.",
    ),
    *TEXTS[2:],
]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("May the tenants keep a pet?", ("any animal", "one cat")),
        ("How much is the deposit in total?", ("£1,136", "£150")),
        ("How much notice must the tenants give?", ("two months' notice", "one month")),
    ],
)
def test_a_letter_that_changes_a_contract_answers_with_it(
    embedder: Embedder, question: str, told: tuple[str, ...]
) -> None:
    _, tags = ask(Shelf(LETTERS, embedder), question)
    quotes = " ".join(tag.quote for tag in tags)
    assert all(words in quotes for words in told)


def test_all_that_a_letter_changes_is_quoted(embedder: Embedder) -> None:
    _, tags = ask(Shelf(LETTERS[:2], embedder), "What does the letter change?")
    assert len(tags) == 3
    assert all(word in tag.quote for word, tag in zip(("cat", "£150", "clause 8"), tags, strict=True))


@pytest.mark.parametrize("named", ["deed of variation", "lease"])
def test_all_that_an_amendment_changes_is_quoted_in_its_order(mixed: Shelf, named: str) -> None:
    _, tags = ask(mixed, f"What changed in the {named}?")
    assert {mixed.title(tag.key) for tag in tags} == {DEED}
    assert [tag.quote[:3] for tag in tags] == ["2.1", "2.2", "2.3"]
