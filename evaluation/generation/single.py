"""Single-source questions by rule: a sentence or a row of a table, turned into the question that it answers.

The rules are those by which a datasource introduces itself. Here nothing is tried out: a question must not
be chosen because the search finds its answer.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from chat.answering.extractive.candidates import Candidate, Passage, candidates
from chat.suggestions.proposals import owned, turned_parts
from chat.suggestions.sentence_questions import Turned
from evaluation.generation.corpus import Corpus, Source
from evaluation.generation.tables import cell_questions
from evaluation.models import Kind
from evaluation.questions.draft import Draft, Proof
from ingestion.models import Chunk
from text.search_terms import terms
from text.table_lines import cells

FEWEST_TERMS = 3  # of a question: with fewer nobody knows what is meant
OTHER_PLACES = 6  # in which the same figure is proof as well
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PARTY = re.compile(
    r"(?:[A-Z][\w&.’'-]*[ \n]){1,6}(?:[^.;()]{0,200})\((?:the[ \n])?"
    r"[“\"](?P<role>[A-Z][a-z]+(?:er|or|ee|ant|ny|ent))[”\"]\)"
)


def single_source(corpus: Corpus) -> Iterator[Draft]:
    """Of all documents; no two with the same words."""
    seen: set[frozenset[str]] = set()
    for source in corpus.sources:
        for draft in _of(source, corpus):
            words = frozenset(terms(draft.text))
            if words not in seen:
                seen.add(words)
                yield draft


def _of(source: Source, corpus: Corpus) -> Iterator[Draft]:
    chunks = {str(chunk.pk): chunk for chunk in source.chunks}
    passages = [
        Passage(key=key, document=source.document.title, text=chunk.text, score=0.0)
        for key, chunk in chunks.items()
    ]
    for part, turned in turned_parts(passages):
        text = owned(turned, source.owner)
        chunk = chunks[part.passage.key]
        if draft := _draft(source, chunk, part, turned, text, corpus):
            yield draft
    for place, part in enumerate(each for each in candidates(passages) if each.kind == "row" and each.heads):
        for text, answer, subject in cell_questions(part, place):
            cell = Turned(question=text, kind="cell", subject=subject)
            draft = _draft(source, chunks[part.passage.key], part, cell, text, corpus)
            if draft:
                yield replace(draft, reference=answer)
    for chunk in source.chunks:
        yield from _parties(source, chunk, corpus)


def _parties(source: Source, chunk: Chunk, corpus: Corpus) -> Iterator[Draft]:
    """ "... (the "Supplier")": who that is."""
    for found in _PARTY.finditer(chunk.text):
        role = found["role"]
        asked = f"Who is “the {role}”?"
        other = [each for each in corpus.holding(terms(role)) if each.document_id != chunk.document_id]
        if any(_PARTY.search(each.text) for each in other):
            continue
        yield Draft(
            kind=Kind.SINGLE, text=asked, reference=" ".join(found[0].split()),
            proofs=(proof_of(source, chunk, found.start(), found.end()),), template="party", subject=role,
        )  # fmt: skip


def _draft(
    source: Source, chunk: Chunk, part: Candidate, turned: Turned, text: str, corpus: Corpus
) -> Draft | None:
    asked = set(terms(text))
    said = set(terms(part.text))
    if len(asked) < FEWEST_TERMS or said <= asked:
        return None
    proof = proof_of(source, chunk, part.start, part.end)
    also, elsewhere = _other_places(corpus, asked, part, turned, proof)
    if elsewhere:  # another document may answer it otherwise
        return None
    return Draft(
        kind=Kind.SINGLE,
        text=text,
        reference=_reference(part),
        proofs=(proof, *also),
        template=turned.kind,
        subject=turned.subject,
    )


def proof_of(source: Source, chunk: Chunk, start: int, end: int, piece: int = 0) -> Proof:
    """The words chunk.text[start:end]."""
    return Proof(
        document_id=source.document.pk, title=source.document.title, quote=chunk.text[start:end],
        start=chunk.start + start, end=chunk.start + end, page=_page(chunk, start), piece=piece,
    )  # fmt: skip


def _page(chunk: Chunk, start: int) -> int | None:
    """None where the chunk is on several pages: storing the question looks it up."""
    return chunk.first_page if chunk.first_page == chunk.last_page else None


def _reference(part: Candidate) -> str:
    if part.kind != "row":
        return part.text
    heads = [head for head in part.heads.split(" | ") if head]
    label, *figures = cells(part.quote)
    if len(heads) == len(figures):
        return f"{label}: {figures[0]} ({heads[0]})"
    return " | ".join([label, *figures])


def _other_places(
    corpus: Corpus, asked: set[str], part: Candidate, turned: Turned, proof: Proof
) -> tuple[list[Proof], bool]:
    """Where else the answer stands; whether a passage has all words of the question but another answer."""
    answer = _answer_of(part, turned)
    also: list[Proof] = []
    for chunk in corpus.holding(asked):
        for start, end in _lines_with(answer, chunk.text):
            place = Proof(
                document_id=chunk.document_id, title=proof.title, quote=chunk.text[start:end],
                start=chunk.start + start, end=chunk.start + end, page=_page(chunk, start),
            )  # fmt: skip
            if not _overlap(place, proof) and not any(_overlap(place, other) for other in also):
                also.append(place)
        if chunk.document_id != proof.document_id and answer not in chunk.text:
            return [], True
    others = [place for place in also if place.document_id == proof.document_id]
    return others[:OTHER_PLACES], len(others) < len(also)


def _answer_of(part: Candidate, turned: Turned) -> str:
    """The figure that is asked for; the whole sentence where none is."""
    if part.kind == "row":
        figures = _FIGURE.findall(" ".join(cells(part.quote)[1:]))
        return max(figures[:1], key=len, default=part.quote)
    return part.quote


def _lines_with(answer: str, text: str) -> Iterator[tuple[int, int]]:
    """The lines of the text that have the answer as a whole."""
    for found in re.finditer(rf"(?<![\d,.]){re.escape(answer)}(?![\d]|[,.]\d)", text):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        yield start, len(text) if end < 0 else end


def _overlap(one: Proof, other: Proof) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    return one.document_id == other.document_id and one.start < other.end and other.start < one.end
