"""What the reader's word does to how sure the fittest sentences are."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from answering.extractive.candidates import Candidate, Passage
from answering.extractive.reading import ORDERS, READ, read_too

QUESTION = "How much is the rent that the tenant has to pay?"
PASSAGE = Passage(key="p1", document="Lease", text="The Tenant shall pay a rent.", score=0.5)
PART = Candidate(
    passage=PASSAGE, start=0, end=28, text=PASSAGE.text, around="Rent", beside="", kind="sentence", sure=0.4
)


@dataclass
class Says:
    """Reads nothing: the score that it was made with, for the last sentence; -5 for the others."""

    score: float
    asked: list[Sequence[tuple[str, str]]] = field(default_factory=list)

    def scores(self, question: str, sentences: Sequence[tuple[str, str]]) -> list[float]:
        self.asked.append(sentences)
        return [-5.0] * (len(sentences) - 1) + [self.score]


@pytest.mark.parametrize(("score", "surer"), [(2.0, True), (-2.0, False)])
def test_the_best_of_the_fittest_speaks_for_all(score: float, surer: bool) -> None:
    ranking = [replace(PART, score=float(-place)) for place in range(READ + 4)]
    reader = Says(score)
    read = read_too(ranking, QUESTION, reader)
    assert all((part.sure > 0.4) == surer for part in read)
    assert len(reader.asked[0]) == READ
    assert reader.asked[0][0] == ("Rent", PASSAGE.text)


def test_what_reads_best_gains_on_the_others_and_what_is_not_read_counts_as_the_worst() -> None:
    ranking = [replace(PART, score=5.0) for _ in range(READ + 1)]
    *worse, best, unread = (part.score for part in read_too(ranking, QUESTION, Says(-1.0)))
    assert best == 5.0
    assert {*worse, unread} == {5.0 - 4.0 * ORDERS}


def row(*cells: str) -> Candidate:
    text = "\t".join(cells)
    passage = replace(PASSAGE, text=text)
    return replace(PART, passage=passage, end=len(text), text=" ".join(cells), kind="row")


def test_a_row_with_words_in_its_cells_is_read_as_prose_is() -> None:
    told = row("B2", "How much is the rent?", "The tenant has to pay £950 on the first day of the month.")
    reader = Says(-6.0)
    assert read_too([told], QUESTION, reader)[0].sure < 0.1
    assert reader.asked == [[("Rent", told.text)]]


def test_rows_of_figures_and_other_languages_are_left_to_the_weights() -> None:
    reader = Says(9.0)
    german = replace(PART, text="Der Mieter zahlt die Miete im Voraus.")
    for ranking, question in (
        ([row("Rent that the tenant has to pay", "£950", "£975")], QUESTION),
        ([row("Rent that the tenant has to pay in 2025")], QUESTION),
        ([german], QUESTION),
        ([PART], "Wie hoch ist die Miete, die der Mieter zahlt?"),
        ([], QUESTION),
    ):
        assert read_too(ranking, question, reader) == ranking
    assert not reader.asked


def test_even_a_certain_part_can_be_read(recwarn: pytest.WarningsRecorder) -> None:
    certain, impossible = replace(PART, sure=1.0), replace(PART, sure=0.0)
    read = read_too([certain, impossible], QUESTION, Says(-3.0))
    assert 0 <= read[1].sure < read[0].sure < 1
    assert not recwarn
