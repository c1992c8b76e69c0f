"""The sample documents that ship with the product, and the questions that are asked about them."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
PDFS = sorted(SAMPLES.glob("*.pdf"))
QUESTIONS = json.loads((ROOT / "benchmarks" / "keyless_questions.json").read_text(encoding="utf-8"))
SUGGESTED = json.loads((SAMPLES / "suggested_questions.json").read_text(encoding="utf-8"))


def folded(text: str) -> str:
    return " ".join(text.split())


def page_texts(path: Path) -> list[str]:
    """The text of each page in reading order, every run of whitespace folded to one space."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [folded(page.get_textpage().get_text_range()) for page in document]
    finally:
        document.close()


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    return {path.name: page_texts(path) for path in PDFS}


def test_sample_pdfs_are_five_short_light_documents(texts: dict[str, list[str]]) -> None:
    assert len(PDFS) == 5
    assert 20 <= sum(len(pages) for pages in texts.values()) <= 30
    assert max(path.stat().st_size for path in PDFS) < 300_000
    for pages in texts.values():
        assert all(f"Page {number} of {len(pages)}" in page for number, page in enumerate(pages, 1))


def test_building_the_samples_again_gives_the_committed_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "samples.build", str(tmp_path)], cwd=ROOT, check=True)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(built) == [path.name for path in PDFS]
    assert [path.name for path in PDFS if built[path.name] != path.read_bytes()] == []


@pytest.mark.parametrize(
    ("name", "page", "sentence"),
    [
        (
            "master-services-agreement.pdf",
            3,
            "6.6 The Supplier may suspend access to Waypoint only if an undisputed sum of more than £20,000 "
            "has been overdue for 45 days and the Supplier has given ten Working Days' written warning",
        ),
        (
            "amendment-no-1.pdf",
            2,
            "7.2 The Supplier shall not increase the monthly charges under clause 6.5 of the Agreement "
            "before 1 March 2027.",
        ),
        # This sentence begins at the foot of the left column and ends at the head of the right one.
        (
            "annual-report.pdf",
            2,
            "Farida Qureshi-Bell, who chairs the audit committee, has agreed to stay "
            "for a further three years.",
        ),
        (
            "lecture-notes-information-retrieval.pdf",
            2,
            "A term that occurs in every document has an inverse document frequency of zero, so it has no "
            "say in the ranking.",
        ),
        (
            "security-questionnaire.pdf",
            1,
            "C3 Can our users sign in with our own directory? Yes, by SAML 2.0 or OpenID Connect, "
            "at no extra charge.",
        ),
    ],
)
def test_a_known_sentence_reads_straight_through(
    texts: dict[str, list[str]], name: str, page: int, sentence: str
) -> None:
    assert sentence in texts[name][page - 1]


def test_text_has_only_plain_characters(texts: dict[str, list[str]]) -> None:
    characters = set("".join(page for pages in texts.values() for page in pages))
    assert {c for c in characters if not (" " <= c <= "~" or "\xa0" <= c <= "\xff" or c == "\u2022")} == set()


def test_the_question_list_has_answerable_and_unanswerable_questions() -> None:
    assert Counter(question["kind"] for question in QUESTIONS) == {"single": 40, "multi": 8, "none": 12}
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)
    for question in QUESTIONS:
        fragments, documents = len(question["expect"]), len(question["documents"])
        if question["kind"] == "none":
            assert (fragments, documents) == (0, 0)
        else:
            assert fragments >= (2 if question["kind"] == "multi" else 1)
            assert documents == (2 if question["kind"] == "multi" else 1)


@pytest.mark.parametrize("question", QUESTIONS + SUGGESTED, ids=lambda question: question["question"])
def test_what_a_question_expects_stands_on_a_page_of_its_documents(
    texts: dict[str, list[str]], question: dict[str, Any]
) -> None:
    pages = {name: texts[name] for name in question["documents"]}
    for fragment in question["expect"]:
        assert any(folded(fragment) in page for document in pages.values() for page in document), fragment
    for name, document in pages.items():
        assert any(fragment in page for fragment in question["expect"] for page in document), name


def test_the_start_page_offers_six_questions_with_one_that_needs_two_documents() -> None:
    assert len(SUGGESTED) == 6
    assert sum(len(question["documents"]) > 1 for question in SUGGESTED) >= 1
    assert {name for question in SUGGESTED for name in question["documents"]} == {path.name for path in PDFS}
