"""Pieces of a document: each is exactly where it says it is, none is too long, nothing is left out."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.chunks.chunking import join_pages, page_at, split

PROSE = (
    "The tenant shall pay the rent on the first of each month. "
    "If the rent is late, interest of two percent is due. "
    "The landlord may end the lease after three such delays; notice is given in writing.\n"
)
text_like = st.text(st.sampled_from("aab .\n;,A1\u00a0\U0001f600("), max_size=600)


@given(
    pages=st.lists(text_like, max_size=6),
    size=st.integers(2, 120),
    share=st.floats(0, 0.9),
)
def test_every_piece_is_found_at_its_offsets(pages, size, share):
    text, starts = join_pages(pages)
    pieces = split(text, starts, size=size, overlap=int(size * share))
    covered: set[int] = set()
    for number, piece in enumerate(pieces):
        assert piece.index == number
        assert text[piece.start : piece.end] == piece.text
        assert 0 < len(piece.text) <= size
        assert piece.text == piece.text.strip()
        assert 1 <= piece.first_page <= piece.last_page <= len(pages)
        covered.update(range(piece.start, piece.end))
    assert {place for place, letter in enumerate(text) if not letter.isspace()} <= covered
    assert [piece.end for piece in pieces] == sorted({piece.end for piece in pieces})


@given(pages=st.lists(text_like, min_size=1, max_size=6))
def test_pages_are_found_again_in_the_joined_text(pages):
    text, starts = join_pages(pages)
    for number, (page, start) in enumerate(zip(pages, starts, strict=True), 1):
        assert text[start : start + len(page)] == page
        if page:
            assert page_at(starts, start) == number
            assert page_at(starts, start + len(page) - 1) == number


def test_pieces_end_where_sentences_end():
    text, starts = join_pages([PROSE * 10])
    pieces = split(text, starts, size=400, overlap=0)
    assert len(pieces) > 3
    assert all(piece.text.endswith((".", ";")) for piece in pieces)


def test_neighbours_share_a_few_words():
    text, starts = join_pages([PROSE * 10])
    pieces = split(text, starts)
    assert all(0 < before.end - after.start <= 100 for before, after in itertools.pairwise(pieces))


def test_a_sentence_over_a_page_edge_is_one_piece_on_two_pages():
    text, starts = join_pages(["The term of the lease is", "five years from the first of May."])
    (piece,) = split(text, starts)
    assert (piece.first_page, piece.last_page) == (1, 2)
    assert piece.text == "The term of the lease is\nfive years from the first of May."


def test_pages_without_text_keep_their_numbers():
    text, starts = join_pages(["", "Found on two.", "", "", "Found on five."])
    pieces = split(text, starts, size=14, overlap=0)
    assert [(piece.text, piece.first_page) for piece in pieces] == [
        ("Found on two.", 2),
        ("Found on five.", 5),
    ]


def test_a_document_without_text_has_no_pieces():
    assert split(*join_pages([])) == []
    assert split(*join_pages(["", " \n "])) == []


def test_repeated_text_does_not_confuse_the_offsets():
    text, starts = join_pages(["same words " * 300, "same words " * 300])
    pieces = split(text, starts)
    assert [piece.start for piece in pieces] == sorted({piece.start for piece in pieces})
    assert pieces[-1].end == len(text.rstrip())
    assert pieces[-1].last_page == 2


@pytest.mark.parametrize(("size", "overlap"), [(100, 100), (100, -1), (0, 0)])
def test_senseless_sizes_are_refused(size, overlap):
    with pytest.raises(ValueError, match="overlap"):
        split("text", [0], size=size, overlap=overlap)
