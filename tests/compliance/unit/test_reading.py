"""Files of frameworks: what is read from each kind, and which are refused with words."""

import json
from io import BytesIO
from pathlib import Path

import pytest
import xlsxwriter
from django.core.exceptions import ValidationError

from desks.compliance.frameworks.importing import read_file
from desks.compliance.frameworks.reading import files
from desks.compliance.frameworks.reading.draft import Draft
from formats.base.errors import ExtractionError
from tests.processes import readers

DORA = """
name: Digital Operational Resilience Act
ref_id: DORA
locale: en
version: 7
copyright: European Union law
objects:
  framework:
    requirement_nodes:
    - {urn: a, assessable: false, depth: 1, name: CHAPTER V, description: Managing of ICT third-party risk}
    - {urn: s, parent_urn: a, assessable: false, depth: 2, ref_id: Section II, name: Oversight Framework}
    - urn: b
      parent_urn: s
      assessable: false
      ref_id: '30.2'
      description: The contractual arrangements shall include
      translations: {fr: {description: Les accords comprennent}}
    - {urn: c, parent_urn: b, assessable: true, ref_id: 30.2.a, description: a clear description}
    - {urn: d, assessable: true, ref_id: 45.1, description: may exchange information}
"""
CATALOG = {
    "catalog": {
        "metadata": {"title": "Controls", "version": "1"},
        "groups": [
            {
                "id": "ac",
                "title": "Access Control",
                "controls": [
                    {
                        "id": "ac-1",
                        "title": "Policy",
                        "params": [{"id": "ac-1_prm_1", "label": "personnel or roles"}],
                        "props": [{"name": "label", "value": "AC-1"}],
                        "parts": [
                            {
                                "name": "statement",
                                "parts": [
                                    {
                                        "name": "item",
                                        "props": [{"name": "label", "value": "a."}],
                                        "prose": "Tell {{ insert: param, ac-1_prm_1 }} the policy.",
                                    }
                                ],
                            }
                        ],
                    }
                ],
            }
        ],
    }
}


def draft(name: str, content: str | bytes) -> Draft:
    return read_file(name, BytesIO(content if isinstance(content, bytes) else content.encode()))


def refusal(folder: Path, name: str, content: str | bytes) -> str:
    """Without a sandbox for each."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ExtractionError) as refused:
        files.read(path)
    return refused.value.message


def test_a_library_of_ciso_assistant_keeps_its_tree_languages_and_domains() -> None:
    read = draft("dora.yaml", DORA)
    assert (read.name, read.ref, read.version) == ("Digital Operational Resilience Act", "DORA", "7")
    assert [(node.depth, node.ref, node.is_assessable) for node in read.nodes] == [
        (0, "CHAPTER V", False),
        (1, "Section II", False),
        (2, "30.2", False),
        (3, "30.2.a", True),
        (0, "45.1", True),
    ]
    assert read.nodes[0].title == "Managing of ICT third-party risk"
    assert read.nodes[2].translations == {"fr": {"title": "", "text": "Les accords comprennent"}}
    assert [node.domain for node in read.nodes[:2]] == ["Third-Party Risk", "ICT Third-Party Oversight"]
    assert read.nodes[3].domain == "ICT Third-Party Oversight"


def test_an_oscal_catalog_becomes_groups_controls_and_items_with_their_parameters() -> None:
    read = draft("catalog.json", json.dumps(CATALOG))
    assert [(node.depth, node.ref, node.text) for node in read.nodes] == [
        (0, "", ""),
        (1, "AC-1", ""),
        (2, "AC-1.a", "Tell [personnel or roles] the policy."),
    ]
    assert [node.is_assessable for node in read.nodes] == [False, False, True]
    assert read.nodes[2].domain == "Access Control"


def test_a_table_finds_parents_by_reference_also_out_of_order() -> None:
    read = draft("own.csv", "ref;title;text;text:de\n1.1;;First point;Erster Punkt\n1;Chapter;;\n")
    assert [(node.depth, node.ref, node.title or node.text) for node in read.nodes] == [
        (0, "1", "Chapter"),
        (1, "1.1", "First point"),
    ]
    assert read.nodes[1].translations["de"]["text"] == "Erster Punkt"


def test_a_workbook_is_read_as_its_first_sheet() -> None:
    content = BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate([["ref", "text", "assessable"], [1, "Backups are kept", "yes"]]):
            sheet.write_row(place, 0, row)
    read = draft("own.xlsx", content.getvalue())
    assert [(node.ref, node.text) for node in read.nodes] == [("1", "Backups are kept")]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.yaml", "a: [1, 2", "not valid YAML"),
        ("a.yaml", "a: !!python/object/apply:os.system [id]", "not valid YAML"),
        ("a.yaml", "name: nothing", "not a framework of CISO Assistant"),
        ("a.yaml", "a: " + "[" * 200 + "]" * 200, "levels deep"),
        ("a.json", "{}", "not an OSCAL catalog"),
        ("a.json", "[" * 100_000, "not valid JSON"),
        ("a.csv", "ref,name\n1,x\n", "names no column"),
        ("a.csv", "ref,text\n1,x\n1,y\n", "there twice"),
        ("a.csv", "ref,parent,text\na,b,x\nb,a,y\n", "one another as parents"),
        ("a.csv", "ref,parent,text\na,z,x\n", "no row with the reference z"),
        ("a.csv", "ref,text,assessable\n1,x,maybe\n", "neither yes nor no"),
        ("a.csv", "ref,text,assessable\n1,x,no\n", "Nothing in this file can be checked"),
        ("a.csv", "text\n" + "x" * 30_000, "has more than 20,000 characters"),
        ("a.csv", "text\n" + "x\n" * 6_000, "5,000 are allowed"),
        ("a.xlsx", b"PK\x03\x04 no archive", "damaged"),
    ],
)
def test_what_is_no_framework_is_refused_with_words(
    tmp_path: Path, name: str, content: str | bytes, words: str
) -> None:
    assert words in refusal(tmp_path, name, content)


def test_a_refusal_in_the_sandbox_reaches_the_person() -> None:
    with pytest.raises(ValidationError, match="names no column"):
        draft("a.csv", "ref,name\n1,x\n")
    with pytest.raises(ValidationError, match="not a file of a list of points"):
        draft("a.docx", "x")


def test_a_bomb_of_aliases_is_refused_before_it_is_built(tmp_path: Path) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "too large when its aliases are followed" in refusal(tmp_path, "bomb.yaml", "\n".join(levels))


def test_parameters_that_name_each_other_over_and_over_are_refused(tmp_path: Path) -> None:
    """Each of six levels has fifty choices with the next level in them."""
    levels = [
        {"id": f"p{n}", "select": {"choice": [f"{{{{ insert: param, p{n + 1} }}}}"] * 50}} for n in range(6)
    ]
    prose = {"name": "statement", "prose": "{{ insert: param, p0 }}"}
    control = {"id": "ac-1", "title": "Policy", "params": levels, "parts": [prose]}
    content = json.dumps({"catalog": {"controls": [control]}})
    assert "would be put into the texts" in refusal(tmp_path, "bomb.json", content)


def test_few_aliases_are_read() -> None:
    text = DORA.replace("copyright: European Union law", "copyright: &c European Union law\nprovider: *c")
    assert draft("dora.yaml", text).publisher == "European Union law"


@pytest.mark.parametrize(
    "number", ["30.10", "1:20:30", "0x1F", "1_000", "2024-02-30", "!!int '1:20'", "!!float 1:1.5"]
)
def test_numbers_and_dates_in_yaml_stay_as_they_are_written(number: str) -> None:
    read = draft("dora.yaml", DORA.replace("'30.2'", number))
    assert number.split()[-1].strip("'") in [node.ref for node in read.nodes]


@pytest.mark.parametrize("kind", ["", "!!int ", "!!float "])
def test_a_number_to_the_base_of_60_takes_no_longer_than_other_text(kind: str) -> None:
    """Of this length it took more time than a reader has."""
    text = DORA.replace("version: 7", f"version: {kind}1{':59' * 900_000}")
    assert draft("dora.yaml", text).version.startswith("1:59:59")


def test_a_yaml_file_with_too_many_directives_is_refused(tmp_path: Path) -> None:
    text = "".join(f"%TAG !t{n}! tag:example.org,{n}:\n" for n in range(21))
    assert "begin with %" in refusal(tmp_path, "dora.yaml", f"{text}---\n{DORA}")


def test_reading_stops_when_nobody_waits_any_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    endless = tmp_path / "endless.py"
    endless.write_text("def run(request):\n    while True:\n        pass\n    yield {}, b''\n")
    monkeypatch.setattr("desks.compliance.frameworks.importing._PROGRAM", endless)
    with pytest.raises(ValidationError, match="no longer waits"):
        read_file("x.csv", BytesIO(b"text\nIt is so.\n"), unwanted=lambda: True)
    assert not readers()


def test_a_node_that_is_its_own_parent_is_refused(tmp_path: Path) -> None:
    text = DORA.replace("{urn: a, assessable", "{urn: a, parent_urn: s, assessable")
    assert "their own parents" in refusal(tmp_path, "dora.yaml", text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "cp1252"])
def test_a_table_is_read_in_the_encoding_that_a_spreadsheet_saved_it_in(encoding: str) -> None:
    table = "ref\ttitle\ttext\n1\tDatenschutz\tDer Verkäufer prüft die Löschung jährlich.\n"
    draft = read_file("duties.csv", BytesIO(table.encode(encoding)))
    assert draft.nodes[0].text == "Der Verkäufer prüft die Löschung jährlich."


def test_no_name_of_a_file_is_cut_in_silence() -> None:
    long = "Wordy " * 60
    draft = read_file("x.csv", BytesIO(f"ref,title,text\n1,{long},It is so.\n".encode()))
    assert draft.nodes[0].text == f"{long.strip()}\nIt is so.", "a title that is too long begins the text"
    for row, said in ((f"{'1.' * 40},,It is so.,", "reference"), (f"1,,It is so.,{long}", "domain")):
        with pytest.raises(ValidationError, match=f"The {said} of the point .* has more than"):
            read_file("x.csv", BytesIO(f"ref,title,text,domain\n{row}\n".encode()))
