"""Single-source questions by rule: a sentence or a row of a table, turned into the question that it answers.

The rules are those by which a datasource introduces itself. Here nothing is tried out: a question must not
be chosen because the search finds its answer. But it has to be determinate: it names the company where
documents of several are there, and nothing else here answers its words otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from answering.extractive.candidates import Candidate, Passage, candidates
from answering.suggestions.proposals import owned, parts_with_questions, whole_parts, words_within
from desks.evaluation.generation.corpus import Corpus, Source, content
from desks.evaluation.generation.names import named_in, names_by_passage
from desks.evaluation.generation.tables import cell_questions
from desks.evaluation.models import Kind
from desks.evaluation.questions.draft import Draft, Proof
from english.dates import MONTH
from english.questions.facts import FACTS, facts
from ingestion.models import Chunk
from text.search.search_terms import terms
from text.tables.table_lines import cells

OTHER_PLACES = 8  # in which the same figure is proof as well
FEW_DIGITS = 3  # a shorter figure is the answer only in a row of the same label
# No end, or a part of the answer.
_UNFIT = re.compile(r"\b(?:in|of|for|by|from|without)(?: \w+ing)?\?$|\d\s?(?:%|per ?cent)|[$€£]\s?\d")
# After a question that the text asks itself: somebody talks, and what follows is no answer to a reader.
_SPOKEN = re.compile(r"[!?]|[\"“”‘]|(?:^|\s)['’]|['’](?:\s|$)")
_NAMES = re.compile(rf"(?<!^)\b(?!{MONTH}\b)[A-Z]\w")  # within a question
_PARTY = re.compile(
    r"(?P<name>(?!The )[A-Z][\w&.’'-]*(?:[ \n](?:[A-Z&][\w&.’'-]*|of|and|for|the)){1,7})"
    r"(?:,[^.;:()\"“”]{0,160})?[ \n]\((?:the[ \n])?"
    r"[“\"](?P<role>[A-Z][a-z]+(?:er|or|ee|ant|ny|gent|lient|ipient))[”\"]\)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turned:
    """A question and its answer: the words of `part` that say it, and how people would put it."""

    text: str
    kind: str
    subject: str
    part: Candidate
    answer: str
    reference: str


def single_source(corpus: Corpus) -> list[Draft]:
    """Of all documents in turn; none whose words have two different answers."""
    by_words: dict[frozenset[str], list[Draft]] = defaultdict(list)
    for draft in (draft for source in corpus.sources for draft in _of(source, corpus)):
        by_words[frozenset(content(draft.text))].append(draft)
    by_document: dict[tuple[int, ...], list[Draft]] = defaultdict(list)
    for alike in by_words.values():
        if len({" ".join(draft.reference.split()) for draft in alike}) == 1:
            by_document[alike[0].documents].append(alike[0])
    return list(filter(None, chain.from_iterable(zip_longest(*by_document.values()))))


def _of(source: Source, corpus: Corpus) -> Iterator[Draft]:
    chunks = {str(chunk.pk): chunk for chunk in source.chunks}
    passages = [
        Passage(key=key, document=source.document.title, text=chunk.text, score=0.0)
        for key, chunk in chunks.items()
    ]
    for turned in chain(
        _sentences(passages, source, corpus), _cells(passages), _facts(passages, source, corpus)
    ):
        if draft := _draft(source, chunks[turned.part.passage.key], turned, corpus):
            yield draft
    for chunk in source.chunks:
        yield from _parties(source, chunk)


def _sentences(passages: list[Passage], source: Source, corpus: Corpus) -> Iterator[_Turned]:
    for part, turned in parts_with_questions(passages):
        if turned.kind == "own" and _SPOKEN.search(part.text.removeprefix(turned.subject)):
            continue
        if turned.kind == "authors" and len(corpus.sources) > 1:  # nobody knows whose
            continue
        yield _Turned(
            text=owned(turned, source.owner),
            kind=turned.kind,
            subject=turned.subject,
            part=part,
            answer=cells(part.quote)[1] if part.kind == "row" else part.quote,
            reference=_reference(part),
        )


def _facts(passages: list[Passage], source: Source, corpus: Corpus) -> Iterator[_Turned]:
    """Of plain sentences; where there are companies, none that names nothing."""
    written = words_within(passages)
    parts = [part for part in whole_parts(passages) if part.kind == "sentence"]
    names = names_by_passage(named_in(source), parts)
    for part in parts:
        for fact in facts(part.text, written, names.get(part.passage.key, {})):
            is_anybodys = _named(fact.question, source, corpus) != fact.question
            if not (is_anybodys and not _NAMES.search(fact.question)):
                yield _Turned(
                    text=fact.question,
                    kind=fact.kind,
                    subject=fact.subject,
                    part=part,
                    answer=part.quote,
                    reference=part.text,
                )


def _cells(passages: list[Passage]) -> Iterator[_Turned]:
    rows = (part for part in candidates(passages) if part.kind == "row" and part.heads)
    for place, part in enumerate(part for part in rows if part.whole and not part.boilerplate):
        for text, value, told, subject in cell_questions(part, place):
            yield _Turned(text=text, kind="cell", subject=subject, part=part, answer=value, reference=told)


def _parties(source: Source, chunk: Chunk) -> Iterator[Draft]:
    """ "... (the "Supplier")": who that is."""
    for found in _PARTY.finditer(chunk.text):
        role = found["role"]
        yield Draft(
            kind=Kind.SINGLE,
            text=f"Who is “the {role}”?",
            reference=" ".join(found[0].split()),
            proofs=(proof_of(source, chunk, found.start(), found.end()),),
            template="party",
            subject=role,
        )


def _draft(source: Source, chunk: Chunk, turned: _Turned, corpus: Corpus) -> Draft | None:
    """None where the words do not tell what is asked, or another document has them all and says otherwise."""
    text = turned.text if turned.kind in FACTS else _named(turned.text, source, corpus)
    asked = content(turned.text) | set(terms(source.owner))
    if not content(turned.text) or set(terms(turned.part.text)) <= asked or _UNFIT.search(turned.text):
        return None
    proof = proof_of(source, chunk, turned.part.start, turned.part.end)
    places = [proof, *_other_places(source, proof, turned, corpus)]
    if not all(
        _says_it(other, places) for other in corpus.holding(asked) if other.document_id != proof.document_id
    ):
        return None
    return Draft(
        kind=Kind.SINGLE,
        text=text,
        reference=turned.reference,
        template=turned.kind,
        subject=turned.subject,
        proofs=tuple(places),
    )


def _says_it(chunk: Chunk, places: Sequence[Proof]) -> bool:
    return any(
        place.document_id == chunk.document_id
        and place.start is not None
        and chunk.start <= place.start < chunk.end
        for place in places
    )


def _named(text: str, source: Source, corpus: Corpus) -> str:
    """With the company that the document is of, where there are documents of others."""
    if not source.owner or source.owner in text or len(corpus.owners) < 2:
        return text
    return f"{text.rstrip('?')} at {source.owner}?"


def proof_of(source: Source, chunk: Chunk, start: int, end: int, piece: int = 0) -> Proof:
    """The words chunk.text[start:end]."""
    return Proof(
        document_id=source.document.pk,
        title=source.document.title,
        quote=chunk.text[start:end],
        start=chunk.start + start,
        end=chunk.start + end,
        page=_page(chunk, start),
        piece=piece,
    )


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


def _other_places(source: Source, proof: Proof, turned: _Turned, corpus: Corpus) -> list[Proof]:
    """Where else the answer stands, in its document first: the sentence again, or the figure in a passage
    with the row's label. In another document of the same company the figure stands in a line with that label,
    and its passage has the words of the question, which tell the period.
    """
    is_row = turned.part.kind == "row"
    label = content(cells(turned.part.quote)[0] if is_row else turned.part.text)
    has_few_digits = is_row and sum(map(str.isdigit, turned.answer)) < FEW_DIGITS
    told = set(terms(turned.reference)) | content(turned.text) - set(terms(source.owner))
    also: list[Proof] = []
    for chunk in sorted(corpus.holding(label), key=lambda each: each.document_id != proof.document_id):
        own, other = chunk.document_id == proof.document_id, corpus.source_of(chunk)
        if not own and (other.owner != source.owner or not told <= set(terms(chunk.text))):
            continue
        for start, end in _lines_with(turned.answer, chunk.text):
            place = proof_of(other, chunk, start, end)
            is_new = not any(_overlap(place, known) for known in (proof, *also))
            in_line = has_few_digits or (is_row and not own)
            if is_new and (not in_line or label <= set(terms(place.quote))):
                also.append(place)
    return also[:OTHER_PLACES]


def _lines_with(answer: str, text: str) -> Iterator[tuple[int, int]]:
    """The lines of the text that have the answer as a whole, however its own lines are broken."""
    words = r"\s+".join(map(re.escape, answer.split()))
    for found in re.finditer(rf"(?<![\d,.]){words}(?![\d]|[,.]\d)", text):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        yield start, len(text) if end < 0 else end


def _overlap(one: Proof, other: Proof) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    return one.document_id == other.document_id and one.start < other.end and other.start < one.end
