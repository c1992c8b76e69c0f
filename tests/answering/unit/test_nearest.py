"""What is shown of a passage that came near: something that can be read alone."""

from answering.nearest import readable_alone, shown
from tests.answering.agent import passage

ROWS = """Our results for the quarter are in the table below, with what they were a year ago.
\t2023\t2022
Net revenue\t$14,158\t$15,338
(299)\tHigher server unit cost primarily from increased mix of Intel 7 products
(120)\tLower desktop revenue
"""


def test_a_row_is_shown_with_its_heads_and_half_a_row_not_at_all() -> None:
    texts = [shown(part) for part in readable_alone(passage(1, ROWS))]
    assert "Net revenue; 2023: $14,158; 2022: $15,338" in texts
    assert not any("(299)" in text or "(120)" in text for text in texts)
