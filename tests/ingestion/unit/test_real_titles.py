"""Which titles of files are names that people would give, and which are left alone."""

import pytest

from ingestion.adding.naming import own_name


@pytest.mark.parametrize(
    ("title", "filename"),
    [
        ("Lease of the flat", "scan0017.pdf"),
        ("Supplier Security Questionnaire", "security-questionnaire.pdf"),
        ("Understanding and expressing scalable concurrency", "issue2462.pdf"),
        ("The 1Password for Teams security design", "bug1529502.pdf"),
        ("코로나-19 관련 보험약관상 재해보험금 지급문제", "normal.pdf"),
        ("保险合同条款说明", "a.pdf"),
        ("Report of the board", "x.pdf"),
        ("Scanning electron microscopes", "a.pdf"),
        ("Titles and deeds", "a.pdf"),
        ("Annual Report 2025", "annual-report.pdf"),
        ("Master Services Agreement", "master-services-agreement.pdf"),
        ("Amendment No. 1", "amendment_no_1.pdf"),
        ("Larkfield", "index.html"),
    ],
)
def test_real_titles(title: str, filename: str) -> None:
    assert own_name(filename, {"title": title}) == title


@pytest.mark.parametrize(
    "title",
    [
        "",
        "untitled",
        "Untitled - Notepad",
        "Unbenannt 1",
        "Microsoft Word - Lease of the flat",
        "Document1",
        "Dokument 2",
        "PowerPoint Presentation",
        "PowerPoint-Präsentation",
        "Word Document",
        "My Title",
        "Print",
        "Layout",
        "Confidential",
        "Quarterly",
        "Slide 1",
        "Lease of the flat.doc",
        "robertson.jpg (JPEG Image, 585 × 890 pixels)",
        "Screenshot 2025-07-29 at 00.15",
        "0001759509-22-000016",
        "2.3.59 (Rev 12/22)",
        "KVWVO732LDFLYX2",
        "deepseek-v3-fp8",
        "EXAMPLE_with_encoding_01",
        "Merged with PDFCreator Online",
        "第1章",
        "a",
        "C:\\Users\\ann\\lease new",
        "/home/ann/lease new",
        "https://example.org/a lease",
        "x " * 101,
        "GeschÃ¤ftsbericht der AG",
        "the board\ufffds report",
        "þÿ\u0000L e a s e",
        "<b>Lease of it</b>",
        "Template letter",
        "12 34 56 78 of 90",
        "????? ????? lease",
        "Lease of ann@example.org",
    ],
)
def test_what_is_no_title(title: str) -> None:
    assert own_name("scan0017.pdf", {"title": title}) == ""


@pytest.mark.parametrize(
    ("title", "filename"),
    [
        ("Free Culture", "freeculture.pdf"),
        ("master services agreement", "master-services-agreement.pdf"),
        ("Master Services Agreement", "Master Services Agreement.pdf"),
        ("Master Services Agreement", "Master Services Agreement Acme.pdf"),
        ("Master Services Agreement", "master-services-agreement-signed.pdf"),
        ("10-Q - 10/28/2022 - Intel Corporation", "2022 Q3 INTC.pdf"),
        ("Report of the board", "board_2024.pdf"),
    ],
)
def test_a_name_of_a_file_that_says_as_much_stays(title: str, filename: str) -> None:
    assert own_name(filename, {"title": title}) == ""


def test_a_mail_is_called_by_its_subject() -> None:
    assert own_name("msg-17.eml", {"subject": "Re: Invoice", "title": "x"}) == "Re: Invoice"
    for subject in ("Re:", "Fwd: 12345", "???????", "To ann@example.org"):
        assert own_name("msg-17.eml", {"subject": subject}) == ""


@pytest.mark.parametrize(
    ("filename", "title", "expected"),
    [
        ("127.0.0.1.html", "Help", "Help"),
        ("docs.example.org.html", "Handbook", "Handbook"),
        ("docs.example.org.html", "Untitled", ""),
        ("two.html", "Two", ""),
    ],
)
def test_the_first_page_of_a_site_is_called_by_its_title_not_by_its_server(
    filename: str, title: str, expected: str
) -> None:
    assert own_name(filename, {"title": title}) == expected
