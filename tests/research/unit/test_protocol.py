"""Numbers, queries, feeds and bibliographies, without a server."""

import time
from datetime import datetime

import pytest
from django.core.exceptions import ValidationError

from desks.research.arxiv_api.bibliography import Cited, as_bibtex, as_ris, read_bib
from desks.research.arxiv_api.feed import ArxivPaper, Complaint, NotAtom, last_name, read_feed
from desks.research.arxiv_api.identifiers import ArxivId, arxiv_id, ids_within, only_ids
from desks.research.arxiv_api.query import PaperQuery
from desks.research.references import entries, title_key
from tests.research.arxiv_server import Held, feed


@pytest.mark.parametrize(
    ("text", "number", "version"),
    [
        ("1706.03762", "1706.03762", 0),
        ("arXiv:1706.03762v5", "1706.03762", 5),
        ("arXiv:1706.03762v5 [cs.CL]", "1706.03762", 5),
        ("https://arxiv.org/abs/1706.03762", "1706.03762", 0),
        ("http://export.arxiv.org/pdf/1706.03762v2.pdf", "1706.03762", 2),
        ("arxiv.org/html/2405.14831v1#S2", "2405.14831", 1),
        ("https://doi.org/10.48550/arXiv.2405.14831", "2405.14831", 0),
        ("math/0309136", "math/0309136", 0),
        ("math.GT/0309136v2", "math/0309136", 2),
        ("https://arxiv.org/abs/quant-ph/0201082v1", "quant-ph/0201082", 1),
    ],
)
def test_papers_are_named_in_many_ways(text: str, number: str, version: int) -> None:
    assert arxiv_id(text) == ArxivId(number=number, version=version)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "17.3762",
        "1706.037621",
        "graph retrieval",
        "https://evil.org/abs/1706.03762",
        "arxiv.org.evil.org/abs/1706.03762",
    ],
)
def test_other_texts_name_none(text: str) -> None:
    assert arxiv_id(text) is None
    assert only_ids(f"1706.03762 {text} x") == []


def test_pasted_lists_are_told_from_words() -> None:
    pasted = "1706.03762, https://arxiv.org/abs/2405.14831v1\n1706.03762"
    assert [str(each) for each in only_ids(pasted)] == ["1706.03762", "2405.14831v1"]
    assert [
        str(each) for each, _ in ids_within("In arXiv preprint arXiv:2005.11401, 2020; p. 1234.5678")
    ] == ["2005.11401"]


def test_a_form_becomes_arxivs_syntax() -> None:
    query = PaperQuery.of(
        {
            "words": 'graph "long-term memory"',
            "author": "Ashish Vaswani, Shazeer",
            "title": "need",
            "categories": "cs.CL, cs.IR",
            "since": "2023",
            "until": "2024-02-29",
            "sort": "newest",
        }
    )
    assert query.search.query == (
        'all:graph AND all:"long-term memory" AND ti:need AND au:"Ashish Vaswani" AND au:Shazeer AND '
        "(cat:cs.CL OR cat:cs.IR) AND submittedDate:[202301010000 TO 202402292359]"
    )
    own = PaperQuery.of({"words": "ti:attention ANDNOT cat:cs.CV", "author": "Vaswani"}).search.query
    assert own == "(ti:attention ANDNOT cat:cs.CV) AND au:Vaswani"
    assert PaperQuery.of({"words": "1706.03762 2405.14831v2"}).search.id_list == [
        "1706.03762",
        "2405.14831v2",
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"since": "yesterday"},
        {"since": "2024", "until": "2023"},
        {"categories": "cs.CL) OR (all:x"},
        {"sort": "size"},
        {"words": "x" * 501},
        {"since": "0000"},
    ],
)
def test_what_arxiv_cannot_be_asked_is_refused(values: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        PaperQuery.of(values)


def test_a_field_cannot_break_out_of_its_quotes() -> None:
    query = PaperQuery.of({"author": 'x" OR all:secret'}).search.query
    assert query == 'au:"x  OR all secret"'


def test_one_bad_entry_costs_only_itself() -> None:
    good = Held(number="1706.03762", title="Attention\n  is all", authors=("Ashish Vaswani",)).entry()
    bad_date = good.replace("2017-06-12T17:57:34Z", "yesterday")
    no_id = good.replace("http://arxiv.org/abs/1706.03762v1", "")
    other = good.replace("arxiv.org/abs/1706.03762v1", "evil.org/x")
    page = read_feed(feed([bad_date, no_id, good, other], 240))
    assert [paper.title for paper in page.papers] == ["Attention is all"]
    assert (page.total, page.unreadable) == (240, 3)
    assert page.papers[0].link == "https://arxiv.org/abs/1706.03762v1"
    assert datetime.fromisoformat(page.papers[0].published).year == 2017


def test_a_feed_of_a_million_entries_is_cut_off() -> None:
    good = Held(number="1706.03762", title="Attention").entry()
    page = read_feed(feed([good, *["<entry/>"] * 300_000], 1))
    assert (len(page.papers), page.unreadable < 1_000) == (1, True)


@pytest.mark.parametrize("content", [b"", b"<html>", b"no xml", b'{"a": 1}', b"\xff\xfe\x00"])
def test_what_is_no_feed_is_refused(content: bytes) -> None:
    with pytest.raises(NotAtom):
        read_feed(content)


def test_hostile_xml_reads_no_file_and_grows_to_nothing() -> None:
    entry = Held(number="1706.03762", title="&stolen;").entry().replace("&amp;stolen;", "&stolen;")
    for entity in (
        '<!ENTITY stolen SYSTEM "file:///etc/passwd">',
        '<!ENTITY a "aaaaaaaa"><!ENTITY stolen "&a;&a;">',
    ):
        hostile = feed([entry], 1).replace(b"?>\n", f"?>\n<!DOCTYPE feed [{entity}]>".encode(), 1)
        with pytest.raises(NotAtom):
            read_feed(hostile)


def test_arxivs_own_complaint_is_told() -> None:
    error = (
        "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id><title>Error</title>"
        "<summary>incorrect id format for x</summary></entry>"
    )
    with pytest.raises(Complaint, match="incorrect id format"):
        read_feed(feed([error], 1))


@pytest.mark.parametrize(
    ("comment", "abstract", "withdrawn"),
    [
        ("This paper has been withdrawn by the author due to an error", "", True),
        ("Withdrawn", "", True),
        ("", "This submission has been withdrawn by arXiv administrators.", True),
        ("12 pages", "We study withdrawn applications.", False),
        ("", "The drug was withdrawn from the market in 2004.", False),
    ],
)
def test_withdrawn_papers_are_told(comment: str, abstract: str, withdrawn: bool) -> None:
    paper = ArxivPaper(number="1706.03762", version=2, title="T", comment=comment, abstract=abstract)
    assert paper.is_withdrawn is withdrawn


def test_last_names() -> None:
    names = ["Ashish Vaswani", "Laurens van der Maaten", "John Smith Jr.", "Plato", "Ludwig van Beethoven"]
    assert [last_name(name) for name in names] == [
        "Vaswani",
        "van der Maaten",
        "Smith",
        "Plato",
        "van Beethoven",
    ]


BIB = rb"""
@article{vas17, title={Attention {Is} All you Need}, eprint={1706.03762}, archivePrefix={arXiv}}
@misc{broken, title={x
@inproceedings{rag, title="K{\"o}nig", journal="arXiv preprint arXiv:2005.11401v4"}
@book{knuth, title={The Art}, isbn={1706.03762}}
@article{url, title={By link}, url={https://arxiv.org/abs/2405.14831}}
@article{vas17, title={Same key}, doi={10.48550/arXiv.2401.18059}}
@misc{pubmed, title={Elsewhere}, eprint={1706.03762}, archiveprefix={PubMed}}
"""


def test_a_bib_file_tells_what_is_at_arxiv() -> None:
    listed = {each.title: each.id and str(each.id) for each in read_bib(BIB)}
    assert listed == {
        "Attention Is All you Need": "1706.03762",
        "König": "2005.11401v4",
        "The Art": None,
        "By link": "2405.14831",
        "Same key": "2401.18059",
        "Elsewhere": None,
    }
    with pytest.raises(ValidationError):
        read_bib(b"%PDF-1.7")


def test_a_bib_file_with_long_fields_or_many_entries_is_read_at_once() -> None:
    begun = time.process_time()
    long = b"@misc{a, title={Long}, eprint={1706.03762}, abstract={" + b"a. " * 200_000 + b"}}"
    assert [str(each.id) for each in read_bib(long)] == ["1706.03762"]
    with pytest.raises(ValidationError, match="2,000 entries"):
        read_bib(b"".join(b"@misc{k%d, title={T}}\n" % place for place in range(100_000)))
    assert time.process_time() - begun < 5


def test_bibliographies_are_read_back_as_they_were_written() -> None:
    paper = ArxivPaper(
        number="1706.03762",
        version=5,
        title="50% of {braces} & \\dots",
        authors=("Ashish Vaswani", "N. Shazeer"),
        published="2017-06-12T00:00:00+00:00",
        categories=("cs.CL",),
        doi="10.1/x_y",
        journal="NIPS 30",
    )
    cited = [
        Cited(title=paper.title, paper=paper),
        Cited(title=paper.title, paper=paper),
        Cited(title="A contract"),
    ]
    text = as_bibtex(cited)
    assert read_bib(text.encode())[0].id == ArxivId(number="1706.03762", version=5)
    assert "@article{vaswani2017braces," in text
    assert "@article{vaswani2017bracesa," in text
    assert "@misc{contract," in text
    assert r"50\% of \{braces\} \& \textbackslash{}dots" in text
    ris = as_ris(cited)
    assert "AU  - Vaswani, Ashish\r\n" in ris
    assert ris.count("ER  - ") == 3


REFERENCES = """Our method is best.

References
[1] A. Vaswani et al. Attention is all you need. In NIPS, 2017.
arXiv:1706.03762.
[2] P. Lewis. Retrieval-augmented gener-
ation for tasks. doi:10.1000/rag.2020.
[3] E. Noether. Sorting lanterns by their light: a theory. 1918.

A Proofs
We prove it.
"""


def test_references_are_read_entry_by_entry() -> None:
    found = entries(REFERENCES)
    assert [(each.number, each.doi) for each in found] == [
        ("1706.03762", ""),
        ("", "10.1000/rag.2020"),
        ("", ""),
    ]
    assert "Retrieval-augmented generation for tasks" in found[1].text
    assert title_key("Sorting Lanterns by their Light: A Theory") in title_key(found[2].text)
    assert REFERENCES[found[0].start :].startswith("[1]")
    assert "prove" not in found[2].text
    assert entries("No list here. References are good.") == []


def test_references_without_numbers_are_divided_at_names() -> None:
    text = (
        "References\nAshish Vaswani, Noam Shazeer, and Niki Parmar. 2017. Attention is all\nyou need.\n"
        "Lewis, P., and Perez, E. 2020. Retrieval-augmented\nGeneration. CoRR abs/2005.11401.\n"
    )
    found = entries(text)
    assert len(found) == 2
    assert found[1].text.startswith("Lewis")
    assert found[1].number == "2005.11401"
