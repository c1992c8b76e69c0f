"""Which words of a passage a cell quotes that is filled without a language model."""

from dataclasses import replace

from answering.extractive.candidates import Passage, candidates
from desks.tables.filling.by_search import _with_its_kind
from retrieval.evidence import Evidence

FIRST = "2.1 The Tenant may end this Lease by six months' notice."
SECOND = "2.2 The Landlord may end this Lease by twelve months' notice."
FOOT = "Ashby and Moore, solicitors, Page 2 of 4"


def quoted(text: str, running: tuple[tuple[int, int], ...]) -> str:
    passage = Passage(key="c1", document="Lease", text=text, score=1.0)
    parts = [replace(part, said=True) for part in candidates([passage]) if part.text in (FIRST, SECOND)]
    evidence = Evidence(
        chunk_id=1,
        document_id=1,
        document_title="Lease",
        first_page=2,
        last_page=3,
        start=0,
        end=len(text),
        text=text,
        score=1.0,
        running=running,
    )
    return _with_its_kind(parts[0], parts, evidence)


def test_a_cell_quotes_clauses_that_answer_alike_but_not_over_the_foot_of_a_page() -> None:
    assert quoted(f"{FIRST}\n{SECOND}", ()) == f"{FIRST}\n{SECOND}"
    text = f"{FIRST}\n{FOOT}\n{SECOND}"
    at = text.index(FOOT)
    assert quoted(text, ((at, at + len(FOOT)),)) == FIRST
