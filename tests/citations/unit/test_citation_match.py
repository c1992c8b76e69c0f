"""Citations: tags are found in a streamed answer, and a quote is found in its source or honestly not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.match import cuts_word, locate
from citations.parse import Prose, Tag, parse, stable_prefix

SOURCE = (
    "4.2 The Lessee shall not sublet the premises without prior written consent of the Lessor, which may "
    "not be unreasonably withheld.\n"
    "The annual rent is $25,699 and is due in twelve instal-\nments of equal size. The e\ufb03cient use of "
    "energy is encouraged; “green” fittings (Annex [3]) are re-\nimbursed at 60% of their cost. "
    "On June 30, 2022 the Lessor’s long-term loans of 1,200 million euros "
    "were unable to be repaid before maturity — as expected."
)


def tags(answer):
    return [(part.key, part.quote) for part in parse(answer) if isinstance(part, Tag)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Rent is due. /citation[c1, the rent is due]", [("c1", "the rent is due")]),
        ('X /citation[c1, "the rent, of course, is due"] Y', [("c1", "the rent, of course, is due")]),
        ("X /citation[c1, “the rent is due”].", [("c1", "the rent is due")]),
        (
            "X /citation[c1, fittings (Annex [3]) are paid] Y [not one]",
            [("c1", "fittings (Annex [3]) are paid")],
        ),
        ('X /citation[c1, "a ] inside"] Y', [("c1", "a ] inside")]),
        (r'X /citation[c1, "he said \"no\" twice"]', [("c1", 'he said "no" twice')]),
        (r"X /citation[c1, an open \[ only] Y", [("c1", "an open [ only")]),
        ('X /citation[c1, "see [the "Note"] below"] Y', [("c1", 'see [the "Note"] below')]),
        ('X /citation[c1, "Affiliate" means a firm] Y', [("c1", '"Affiliate" means a firm')]),
        ("X /citation[c1, two\nlines\n\nand more] Y", [("c1", "two\nlines\n\nand more")]),
        ("X /citation[c1, one]/citation[c2, two] Y", [("c1", "one"), ("c2", "two")]),
        ("X /citation[c1] Y", [("c1", "")]),
        (
            "X /citation[c1, range [0, 1) holds] Y /citation[c2, b]",
            [("c1", "range [0, 1) holds"), ("c2", "b")],
        ),
        ("X /citation[c1, never closed", [("c1", "never closed")]),
        ("X [c1, not a tag] and /cite[c1, neither]", []),
    ],
)
def test_tags(answer, expected):
    assert tags(answer) == expected


def test_text_and_tags_together_are_the_answer():
    answer = "One. /citation[a, x] Two /citation[b, y]/citation[c, z]"
    parts = parse(answer)
    assert "".join(answer[part.start : part.end] for part in parts) == answer
    assert [part.text for part in parts if isinstance(part, Prose)] == ["One. ", " Two "]


def test_an_unfinished_tag_is_held_back():
    answer = 'The rent is due. /citation[c1, "on [the] first"] Next'
    tag_start, tag_end = answer.index("/"), answer.index(" Next")
    for length in range(len(answer) + 1):
        stable = stable_prefix(answer[:length])
        assert stable == (length if length <= tag_start or length >= tag_end else tag_start)


pieces = st.sampled_from(
    [
        "/citation[",
        "/cit",
        "/",
        "c1, ",
        "[",
        "]",
        '"',
        "“",
        "”",
        "\\",
        "text ",
        "\n",
        ". ",
        "a, b",
        "/citation[k, q]",
    ]
)


@given(st.lists(pieces, max_size=12).map("".join), st.integers(0, 60))
def test_what_is_stable_never_changes(answer, cut):
    known = answer[:cut]
    stable = stable_prefix(known)
    early = [part for part in parse(known[:stable]) if isinstance(part, Tag)]
    late = [part for part in parse(answer) if isinstance(part, Tag)]
    assert late[: len(early)] == early
    assert all(part.start >= stable for part in late[len(early) :])


@pytest.mark.parametrize(
    ("quote", "words", "method"),
    [
        ("shall not sublet the premises", "shall not sublet the premises", "exact"),
        ("The annual rent is $25,699", "The annual rent is $25,699", "exact"),
        ("twelve instalments of equal size", "twelve instal-\nments of equal size", "normalised"),
        ("twelve instal- ments", "twelve instal-\nments", "normalised"),
        ("the efficient use of energy", "The e\ufb03cient use of energy", "normalised"),
        ('"green" fittings', "“green” fittings", "normalised"),
        ("the lessor's long\u2013term loans", "the Lessor’s long-term loans", "normalised"),
        ("long-\nterm loans", "long-term loans", "normalised"),
        ("before   maturity - as expected", "before maturity — as expected", "normalised"),
        ("fittings ( Annex [ 3 ] ) are", "fittings (Annex [3]) are", "normalised"),
        ("ANNUAL RENT", "annual rent", "normalised"),
        ("of equal size…", "of equal size", "normalised"),
        ("use of energy is encouraged.", "use of energy is encouraged", "normalised"),
        ("The Lesee shall not sublet the premisses without prior", None, "corrected"),
        ("shall not sublet ... prior written consent", None, "exact"),
        ("the annual rent is […] of equal size", None, "normalised"),
    ],
)
def test_quote_is_found_as_the_source_has_it(quote, words, method):
    found = locate(quote, SOURCE)
    assert found is not None
    assert found.quote == SOURCE[found.start : found.end]
    assert found.method == method
    if words:
        assert found.quote == words


def test_corrected_quote_is_the_sources_own_words():
    found = locate("The Lesee shall not sublet the premisses without prior", SOURCE)
    assert found
    assert found.quote == "The Lessee shall not sublet the premises without prior"


@pytest.mark.parametrize(
    "quote",
    [
        "The annual rent is $25,698",
        "The annual rent is $25",
        "The annual rent is €25,699",
        "reimbursed at 66% of their cost",
        "reimbursed at 60 of their cost. On June 30, 2023",
        "The Lessee shall sublet the premises without prior written consent",
        "The Lessee shall not sublet the premises with prior written consent",
        "which may be unreasonably withheld",
        "which may not be reasonably withheld",
        "loans of 1,200 million euros were able to be repaid before maturity",
        "loans of 1,200 billion euros were unable to be repaid before maturity",
        "were unable to be repaid after maturity — as expected",
        "On July 30, 2022 the Lessor’s long-term loans",
        "due in eleven instalments of equal size",
        "prior written consent ... shall not sublet",
        "shall not sublet ... photosynthesis",
        "premisses",
        "without prior written consent of the Lessee, which may not be unreasonably withheld",
        "without prior written consent of the Lender, which may not be unreasonably withheld",
        "quite another matter that is not in there",
        "",
        "...",
    ],
)
def test_a_changed_quote_is_not_found(quote):
    assert locate(quote, SOURCE) is None


WORDS = re.compile(r"\S+")


def word_span(data, *, fewest=1):
    words = list(WORDS.finditer(SOURCE))
    first = data.draw(st.integers(0, len(words) - fewest))
    last = data.draw(st.integers(first + fewest - 1, min(len(words), first + 25) - 1))
    return words[first].start(), words[last].end()


@given(st.data())
def test_any_words_of_the_source_are_found_exactly(data):
    start, end = word_span(data)
    found = locate(SOURCE[start:end], SOURCE)
    assert found
    assert found.method == "exact"
    assert found.quote == SOURCE[start:end]


@given(st.text(min_size=1, max_size=80), st.data())
def test_any_part_of_any_text_is_found_or_cuts_a_figure(source, data):
    start = data.draw(st.integers(0, len(source) - 1))
    quote = source[start : data.draw(st.integers(start + 1, len(source)))].strip()
    found = locate(quote, source)
    if quote and not any(letter.isdigit() for letter in source):
        assert found
        assert found.quote == quote
    if found:
        assert source[found.start : found.end] == found.quote


def mangle(data, text):
    """The same words as another program would have copied them."""
    text = text.replace("-\n", "") if data.draw(st.booleans()) else text
    if data.draw(st.booleans()):
        text = text.replace("\ufb03", "ffi")
    if data.draw(st.booleans()):
        text = text.replace("fi", "\ufb01")
    if data.draw(st.booleans()):
        text = text.replace("“", '"').replace("”", '"').replace("’", "'").replace("—", "-")
    if data.draw(st.booleans()):
        text = text.upper() if data.draw(st.booleans()) else text.lower()
    if data.draw(st.booleans()):
        text = re.sub(r"\s+", data.draw(st.sampled_from([" ", "\n", "  ", "\u00a0", " \n"])), text)
    if data.draw(st.booleans()):
        text = re.sub(r"([A-Za-z]{4})([a-z]{3})", "\\1-\n\\2", text, count=2)
    return text


@given(st.data())
def test_mangled_words_lead_back_to_the_source(data):
    start, end = word_span(data, fewest=3)  # fewer words stand in more than one place
    found = locate(mangle(data, SOURCE[start:end]), SOURCE)
    assert found
    core = re.compile(r"^\W+|\W+$")
    assert core.sub("", found.quote) == core.sub("", SOURCE[start:end])


@given(st.data())
def test_no_changed_figure_is_ever_found(data):
    start, end = word_span(data)
    quote = SOURCE[start:end]
    places = [place for place, letter in enumerate(quote) if letter.isdigit()]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != quote[place]]))
    changed = quote[:place] + other + quote[place + 1 :]
    found = locate(changed, SOURCE)
    assert found is None or re.findall(r"\d+", found.quote) == re.findall(r"\d+", changed)


@pytest.mark.parametrize("quote", ["The fee is due.", "the fee is due"])
def test_hint_chooses_among_repetitions(quote):
    source = "The fee is due. " * 50
    found, first = locate(quote, source, near=(480, 496)), locate(quote, source)
    assert found
    assert found.start >= 480 - 200
    assert first
    assert first.start == 0


def test_a_wrong_hint_does_no_harm():
    found = locate("twelve instalments", SOURCE, near=(0, 5))
    assert found
    assert found.quote == "twelve instal-\nments"


@pytest.mark.parametrize(
    ("text", "quote", "cut"),
    [
        ("unable to pay", "able to pay", True),
        ("able to pay", "able to pay", False),
        ("it is able to pays", "able to pay", True),
        ("(able to pay)", "able to pay", False),
        ("was able to pay.", "able to pay", False),
    ],
)
def test_a_quote_that_begins_or_ends_inside_a_word_is_noticed(text, quote, cut):
    located = locate(quote, text)
    assert located
    assert cuts_word(text, located.start, located.end) is cut
