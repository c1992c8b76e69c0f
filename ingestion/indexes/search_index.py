"""The words of chunks and documents as searches by words need them: terms, weights and a list of words.

Written beside the vectors. How often each term occurs is counted by the database (see the migration).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from zlib import crc32

from django.db import connection

from datasources.models import Document
from english.periods import period_terms
from ingestion.models import Chunk, DocumentTerms
from ingestion.sql import query
from text.languages import language_of
from text.normal_forms.divisions import divided_words
from text.normal_forms.normal_form import fold
from text.search.search_terms import LONGEST, terms

HASHES = 1_000_000_000  # pgvector's limit for the dimensions of a sparse vector
MOST_TERMS = 15_000  # of one chunk; a sparse vector holds 16,000 numbers
# BM25's usual constants. Length counts against a fixed length, about that of a chunk, and not against the
# mean of all: so a passage's weights stay when others come and go.
K1, B = 1.2, 0.75
USUAL_LENGTH = 100  # terms
SHORTEST_WORD = 4  # letters; shorter ones are found only as they are written
BEGINNING_CHUNKS = 20  # from which language and beginning are read
BEGINNING = 2000  # characters of a document whose names and dates may say what it is
RECURRING = 0.1  # share of a document's chunks; a name in so many is what the document is about
UNTOLD = "?"  # in place of the code of a language
EVERY_CHUNK, EVERY_DOCUMENT, EVERY_NAMED_DOCUMENT = "#", "@#", "@+"  # terms that all of a kind have

_NAME_OR_DATE = re.compile(r"[^\W_]+(?:[.,:/&’'@+-][^\W_]+)*")
_WORD = re.compile(r"[^\W\d_]+")
_NO_LETTERS = re.compile(r"[_\-.]+")


@lru_cache(maxsize=65536)
def hashed(datasource_id: int, term: str) -> int:
    """A term as an index knows it: each datasource has hashes of its own."""
    return crc32(f"{datasource_id}:{term}".encode()) % (HASHES - 1)


def passage_counts(datasource_ids: Sequence[int]) -> Counter[int]:
    """How many passages each of these datasources has, by its number; read from the counts of terms."""
    every = [hashed(datasource_id, EVERY_CHUNK) for datasource_id in datasource_ids]
    return Counter(dict(query("counts_of_terms", datasources=list(datasource_ids), terms=every)))


def of_document(term: str) -> str:
    """The term as one of a document, not of a chunk."""
    return f"@{term}"


def in_language(language: str) -> str:
    """The term that all chunks of a language have; "" for one that nothing tells."""
    return f"#{language or UNTOLD}"


def sparse(weights: Mapping[int, float]) -> str:
    """A sparse vector as Postgres reads it; its indices count from 1."""
    inside = ",".join(f"{term + 1}:{weight:.4g}" for term, weight in sorted(weights.items()))
    return f"{{{inside}}}/{HASHES}"


def weigh(counts: Mapping[str, int]) -> dict[str, float]:
    """How much each term of a chunk weighs: more the oftener it occurs, less the longer the chunk.

    Of a giant passage the terms that occur most often.
    """
    norm = K1 * (1 - B + B * sum(counts.values()) / USUAL_LENGTH)
    kept = Counter(counts).most_common(MOST_TERMS) if len(counts) > MOST_TERMS else counts.items()
    return {term: n * (K1 + 1) / (n + norm) for term, n in kept}


def index_documents(documents: Sequence[tuple[Document, Sequence[str]]]) -> None:
    """Find out each document's language and what it is called by, given the texts of its chunks in order.

    Called within the transaction that stores the chunks. Doing it again changes nothing.
    """
    numbers = [document.pk for document, _ in documents]
    DocumentTerms.objects.filter(document__in=numbers).delete()
    titles = dict(Document.objects.filter(pk__in=numbers).values_list("pk", "title"))
    lines = []
    for document, chunks in documents:
        document.title = titles[document.pk]  # it may have been renamed since its reading began
        language = language_of(" ".join(chunks[:BEGINNING_CHUNKS]))
        weights = name_weights(document, chunks, language) if len(chunks) > 1 else {}
        lines.append(_line_of(document, weights, language))
    _copy("ingestion_documentterms", ("document_id", "datasource_id", "terms", "weights", "language"), lines)


def _line_of(document: Document, weights: Mapping[str, float], language: str) -> Sequence[object]:
    datasource = document.datasource_id
    hashes = {hashed(datasource, of_document(term)): weight for term, weight in weights.items()}
    kinds = [EVERY_DOCUMENT, EVERY_NAMED_DOCUMENT] if weights else [EVERY_DOCUMENT]
    every = [hashed(datasource, kind) for kind in kinds]
    return document.pk, datasource, _array([*hashes, *every]), sparse(hashes), language


def name_weights(document: Document, chunks: Sequence[str], language: str) -> dict[str, float]:
    """What a document is called by, each up to 1: words of its title and file name weigh 1, a name or date of
    its beginning less the more rarely it recurs.
    """
    called = f"{document.title} {_NO_LETTERS.sub(' ', document.filename.rpartition('.')[0])}"
    weights = dict.fromkeys([*terms(called, language), *period_terms(called)], 1.0)
    beginning = " ".join(chunks[:BEGINNING_CHUNKS])[:BEGINNING]
    names = {
        term
        for word in _NAME_OR_DATE.findall(beginning)
        if word[0].isupper() or any(map(str.isdigit, word))
        for term in terms(word, language)
    }
    holding = Counter(term for text in chunks for term in names.intersection(terms(text, language)))
    for term in names:
        weight = min(1.0, (holding[term] - 1) / (RECURRING * len(chunks)))
        if weight > weights.get(term, 0.0):
            weights[term] = weight
    return weights


def index_chunks(datasource_id: int, chunks: Sequence[tuple[int, int, str]]) -> None:
    """Store the words of (id, document, text) chunks, none of which has any yet."""
    documents = {document for _, document, _ in chunks}
    languages = dict(
        DocumentTerms.objects.filter(document__in=documents).values_list("document_id", "language")
    )
    words: dict[str, set[int]] = {}
    lines = []
    for pk, document, written in chunks:
        language = languages.get(document, "")
        text = " ".join([written, *divided_words(written)])
        weighed = weigh(Counter(terms(text, language)))
        weights = {hashed(datasource_id, term): weight for term, weight in weighed.items()}
        kinds = (EVERY_CHUNK, in_language(language))
        every = [hashed(datasource_id, kind) for kind in kinds]
        lines.append((pk, document, datasource_id, _array([*weights, *every]), sparse(weights)))
        for word in set(map(fold, _WORD.findall(text))):
            if SHORTEST_WORD <= len(word) <= LONGEST:
                words.setdefault(word, set()).update(hashed(datasource_id, t) for t in terms(word, language))
    _copy("ingestion_chunkterms", ("chunk_id", "document_id", "datasource_id", "terms", "weights"), lines)
    _add_words(datasource_id, words)


def _add_words(datasource_id: int, words: Mapping[str, set[int]]) -> None:
    """List the words that are not yet listed, each with its stems."""
    pairs = [(word, term) for word, stems in words.items() for term in stems]
    query(
        "add_words",
        datasource=datasource_id,
        words=[word for word, _ in pairs],
        terms=[term for _, term in pairs],
    )


def index_all(chunks: Iterable[Chunk]) -> None:
    """Index whole documents at once, given all of their chunks in order; for what is made without reading."""
    texts: dict[Document, list[Chunk]] = {}
    for chunk in chunks:
        texts.setdefault(chunk.document, []).append(chunk)
    index_documents([(document, [chunk.text for chunk in some]) for document, some in texts.items()])
    for document, some in texts.items():
        index_chunks(document.datasource_id, [(chunk.pk, document.pk, chunk.text) for chunk in some])


def _array(values: Iterable[int]) -> str:
    return f"{{{','.join(map(str, values))}}}"


def _copy(table: str, columns: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy,
    ):
        for line in lines:
            copy.write_row(line)
