"""What the check is asked about the few words of a cell."""

import pytest

from desks.tables.exports.latex import latex
from desks.tables.filling.proof import check_value


@pytest.mark.parametrize(
    ("value", "quote", "verdict"),
    [
        ("Denmark", "This Agreement is governed by the laws of Denmark.", "supported"),
        ("the laws of Denmark", "This Agreement is governed by the laws of Denmark.", "supported"),
        ("sixty days", "It ends by sixty days' notice.", "supported"),
        ("Denmark", "It is not governed by the laws of Denmark.", "needs_your_eye"),
        ("Sweden", "This Agreement is governed by the laws of Denmark.", "needs_your_eye"),
        ("5 million", "The fee is at most 5 million euros unless agreed otherwise.", "needs_your_eye"),
    ],
)
def test_words_of_the_quote_support_a_cell_unless_the_sentence_turns_them(
    value: str, quote: str, verdict: str
) -> None:
    assert check_value(value, quote, quote).support == verdict


def test_latex_of_a_document_is_only_text() -> None:
    made = latex(r"50 % \input{secret}", ["A_b"], [["#1 & co", ("$x$", 1)]], [(1, "T~", "2", "q^2", "ok")])
    assert r"50 \% \textbackslash{}input\{secret\}" in made
    assert r"\#1 \& co & \$x\$~[1] \\" in made
    assert r"\item[1] T\textasciitilde{}, page 2: “q\textasciicircum{}2” (ok)" in made


def test_rows_of_latex_that_begin_with_a_bracket_or_star_stay_rows() -> None:
    """Else the end of the row before takes them for a distance, or for its own star."""
    made = latex("Terms", ["A"], [["[Draft] Agreement"], ["* note"], [("[5]", 2)]], [])
    assert "\n{}[Draft] Agreement \\\\\n{}* note \\\\\n{}[5]~[2] \\\\\n" in made
