"""What the rules find without a model: parties and terms of a contract, people, places."""

from graph.extraction.rules.extractor import Rules
from graph.extraction.rules.rows import Row
from graph.values.extraction import ExtractedEntity

CONTRACT = """Master Services Agreement
This Agreement is made on 3 February 2025 between:
(a) Tarnbeck Systems Limited, a company registered in England and Wales whose registered
office is at 14 Weir Lane, Gateshead (the "Supplier"), a wholly owned subsidiary of Tarnbeck
Group plc; and
(b) Hallowmere Foods Limited, a company registered in England and Wales whose registered
office is at Mill House, Wakefield (the "Customer").
1.1 In this Agreement "Contract Year" means a period of twelve months."""
LATER = """9.2 The Supplier shall pay the Customer a sum of £6,000 for each Contract Year in which
it is late. Approved invoices are paid within thirty days. Worked examples follow.
Completed forms go to the Customer. The forms that were approved and completed are kept."""


def found(*chunks: str, title: str = "MSA") -> dict[str, ExtractedEntity]:
    """Entities by the name that they go by."""
    return {e.stands_for or e.name: e for part in Rules().extract(title, chunks) for e in part.entities}


def relations(*chunks: str) -> set[frozenset[str]]:
    said = [relation for part in Rules().extract("MSA", chunks) for relation in part.relations]
    return {frozenset((relation.source, relation.target)) for relation in said}


def test_who_signs_for_a_company_is_no_part_of_its_name() -> None:
    names = found("It is agreed.\n\nSigned for Kestrel Estates Limited by Ingrid Halvorsen, Director")
    assert "Kestrel Estates Limited" in names
    assert not any(name.startswith("Signed") for name in names)


def test_a_party_is_meant_wherever_its_defined_name_stands() -> None:
    parts = Rules().extract("MSA", [CONTRACT, LATER])
    meant = {e.name: e.stands_for for e in parts[1].entities}
    assert meant["Supplier"] == "Tarnbeck Systems Limited"
    assert meant["Customer"] == "Hallowmere Foods Limited"
    supplier = next(e for e in parts[1].entities if e.name == "Supplier")
    assert supplier.types == ("ORGANIZATION",)
    assert frozenset(("Tarnbeck Systems Limited", "Hallowmere Foods Limited")) in relations(CONTRACT, LATER)


def test_a_defined_term_belongs_to_its_document() -> None:
    term = found(CONTRACT, LATER)["Contract Year (MSA)"]
    assert term.types == ("TERM",)
    plural = Rules().extract("MSA", [CONTRACT, "Each of the Contract Years has twelve months."])[1]
    assert plural.entities[0].stands_for == "Contract Year (MSA)"


def test_an_agreement_is_no_party() -> None:
    text = 'Acme Limited accepts the terms of the contract of 1 May 2024 (the "Agreement").\nIt is short.'
    assert "Agreement (MSA)" in found(text)


def test_a_word_that_opens_a_sentence_is_not_a_name_for_that() -> None:
    assert not {"The", "Approved", "Worked", "Completed", "Each"} & set(found(CONTRACT, LATER))


def test_wrapped_prose_is_no_heading() -> None:
    first = "Clauses 18, 19 and 20 of the Agreement apply to\nthe Customer as they apply to its carriers."
    entities = [e for part in Rules().extract("MSA", [first]) for e in part.entities]
    assert not [e for e in entities if e.defines]
    heading = (
        "Risk factors\nThe heat of its machines is the largest risk that Waypoint has, as the board has said."
    )
    assert [e.name for part in Rules().extract("MSA", [heading]) for e in part.entities if e.defines] == [
        "Risk factors"
    ]


def test_a_name_ends_with_its_line_unless_the_line_is_wrapped() -> None:
    wrapped = (
        "The register of the company is kept at the office of Colborne\n"
        "Pike LLP, which has kept it since the company was founded in that town.\n"
        "Rosalind Teague\nHenrik Aalbers\nThe two sign for the company in all that it does or owes."
    )
    names = set(found(wrapped))
    assert {"Colborne Pike LLP", "Rosalind Teague", "Henrik Aalbers"} <= names


def test_people_and_places_are_told_by_their_names_and_offices() -> None:
    text = (
        "Imogen Varley, finance director, wrote to Quillon Marsh, our head of sites, in Leeds. She said that "
        "Professor Lindqvist will visit Portugal in June."
    )
    types = {name: entity.types[0] for name, entity in found(text).items()}
    assert types["Imogen Varley"] == types["Quillon Marsh"] == "PERSON"
    assert types["Leeds"] == types["Portugal"] == "LOCATION"
    assert types["Lindqvist"] == "PERSON"
    assert "June" not in types


def test_labels_and_page_numbers_are_no_part_of_a_name() -> None:
    text = "B4 Hallowmere Foods Limited Page 3 of 5\nThe answers below were given by the company."
    names = set(found(text))
    assert "Hallowmere Foods Limited" in names
    assert not [name for name in names if "Page" in name or name.startswith("B4")]


SIGNATURES = """Signatures
Supplier\tCustomer
Name\tImogen Varley\tMarguerite Ashdown
Position\tDirector\tChief operating officer and director
Scanners delivered\tCustomer\t2 February\t9 March
1\tNo user at a Site can post stock\t20 minutes\t4 hours"""


def test_a_name_or_a_date_ends_with_its_cell() -> None:
    things = found(SIGNATURES)
    assert {"Imogen Varley", "Marguerite Ashdown", "2 February", "9 March"} <= set(things)
    assert not [name for name in things if "\t" in name or name.startswith(("Name ", "Customer 2"))]
    assert frozenset(("Imogen Varley", "Marguerite Ashdown")) in relations(SIGNATURES)
    assert "Section 1 (MSA)" not in things


def test_figures_and_pronouns_are_no_part_of_a_name() -> None:
    text = (
        "The Supplier gives the Customer 30 days' notice. Tarnbeck Nederland B.V. It pays them."
        " No Early Termination Charge of £186,000, or of any sum, is due. The Early Termination Charge ends."
    )
    things = found(CONTRACT, text)
    assert {"Tarnbeck Nederland B.V.", "Early Termination Charge", "£186,000"} <= set(things)
    assert not {"Customer 30", "Termination Charge", 'the "'} & set(things)


def test_a_row_of_a_table_speaks_of_its_first_cell_under_the_names_of_its_columns() -> None:
    text = (
        "Fees of the parties\nTarnbeck Systems Limited\t£4,200\t£4,900\nHallowmere Foods Limited\t£310\t£298"
    )
    rows = []
    for line in text.split("\n")[1:]:
        start = text.index(line)
        cells = [
            (start + line.index(cell), start + line.index(cell) + len(cell)) for cell in line.split("\t")
        ]
        columns = tuple((*span, name) for span, name in zip(cells, ("", "2023", "2024"), strict=True))
        rows.append(Row(start=start, end=start + len(line), columns=columns))
    (read,) = Rules().extract("Fees", [text], [rows])
    said = {(each.source, each.target): each.keywords for each in read.relations}
    assert said["Tarnbeck Systems Limited", "£4,200"] == ("2023",)
    assert said["Tarnbeck Systems Limited", "£4,900"] == ("2024",)
    assert said["Hallowmere Foods Limited", "£298"] == ("2024",)
    assert not any({"Tarnbeck Systems Limited", "£298"} == set(pair) for pair in said)


def test_a_column_that_tells_a_time_relates_no_names() -> None:
    line = "Northway\tSouthgate"
    columns = ((0, 8, "Region"), (9, 18, "Three Months Ended September 30,"))
    (read,) = Rules().extract("Sales", [line], [[Row(start=0, end=len(line), columns=columns)]])
    assert [(each.source, each.target, each.keywords) for each in read.relations] == [
        ("Northway", "Southgate", ())
    ]


def test_what_belongs_together_is_one_name() -> None:
    report = (
        "Cook\nThe report was signed by Timothy D. Cook. It was sent with the Form 10-Q of that quarter.",
        "The securities trade on an exchange. They filed it with the Securities and Exchange Commission.",
        "The Securities and Exchange Commission has answered Adams and Baker. The Three Months Ended badly.",
        "A letter to Adams and Baker followed.",
    )
    names = set(found(*report))
    assert {"Timothy D. Cook", "Form 10-Q", "Securities and Exchange Commission", "Adams", "Baker"} <= names
    assert not {"Timothy D.", "Form", "10-Q", "Commission", "Three Months Ended"} & names
