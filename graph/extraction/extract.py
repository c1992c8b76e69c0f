"""Which extractor reads a datasource's chunks: the rules, or a model with the rules where it could not."""

from collections.abc import Sequence

from datasources.models import Datasource
from graph.extraction.answers import extracted_by
from graph.extraction.kept_rows import rows_of
from graph.extraction.model_reading import read_chunks, reader_of
from graph.extraction.rules.extractor import Rules
from graph.models import GraphExtractor, GraphSettings
from graph.values.extraction import ExtractedChunks
from ingestion.models import Chunk
from ingestion.run import DocumentRun
from providers.roles import ModelRole, endpoint


def by_model(datasource: Datasource) -> bool:
    """Whether a chat model reads for the graph: it has to be chosen, and there has to be one."""
    chosen = GraphSettings.objects.of(datasource).extractor == GraphExtractor.MODEL
    return chosen and endpoint(datasource, ModelRole.EXTRACTION) is not None


def extract_mentions(run: DocumentRun, chunks: Sequence[Chunk]) -> list[ExtractedChunks]:
    """What the document's chunks (all of them, in order) say, by extractor.

    Where the model could not read, the rules do; a later retry takes the place of theirs. Raises Stopped.
    """
    read = _extract_by_model(run, chunks) if by_model(run.document.datasource) else []
    settled = {chunk.pk for part in read for chunk in part.chunks}
    if len(settled) == len(chunks):
        return read
    rules = Rules(GraphSettings.objects.of(run.document.datasource).types)
    texts = [chunk.text for chunk in chunks]
    read_by_rules = rules.extract(run.document.title, texts, rows_of(run.document.pk, chunks))
    ruled = zip(chunks, read_by_rules, strict=True)
    left = [(chunk, extraction) for chunk, extraction in ruled if chunk.pk not in settled]
    return [*read, ExtractedChunks(Rules.name, [c for c, _ in left], [extraction for _, extraction in left])]


def _extract_by_model(run: DocumentRun, chunks: Sequence[Chunk]) -> list[ExtractedChunks]:
    done = 0

    def kept(count: int) -> None:
        nonlocal done
        done += count
        with run.writing():
            run.advance(done)
        run.tick()

    reader = reader_of(run.document.datasource)
    read_chunks(run.document.datasource, reader, chunks, kept)
    return extracted_by(reader, chunks)
