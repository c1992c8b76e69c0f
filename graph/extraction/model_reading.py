"""Having a model read chunks, as far as budget and server go; each answer is stored as it comes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from django.conf import settings

from datasources.models import Datasource
from events import log
from graph.extraction import answers
from graph.extraction.llm import cache
from graph.extraction.llm.budget import costs, payer_of_graph, spend
from graph.extraction.llm.extractor import ModelReader, Outcome
from graph.extraction.llm.schema import ModelAnswer
from graph.extraction.sent_text import sent_texts
from graph.models import GraphSettings
from ingestion import progress
from ingestion.models import Chunk
from providers.charging import meter_of
from providers.language_models import structured_model
from providers.openai.tokens import estimated_request
from providers.roles import ModelRole, endpoint
from providers.spending.allowance import OverLimit
from providers.spending.metering import Payer

ANNOUNCE_EVERY = 0.5  # seconds between two events about the spending
TEXTS_AT_ONCE = 500  # looked up in the cache in one transaction


def reader_of(datasource: Datasource) -> ModelReader:
    """With a model that keeps within what the datasource may spend from now on."""
    return _reader(datasource, _payer(datasource))


def has_room_for(datasource: Datasource, chunk: Chunk) -> bool:
    """Whether a reader would be let ask about the chunk now: the same allowance says so as does then."""
    payer, server = _payer(datasource), endpoint(datasource, ModelRole.EXTRACTION)
    if server is None:
        return False
    (text,) = sent_texts([chunk])
    sent = estimated_request(_reader(datasource, payer).asked(text))
    try:
        with meter_of(server, payer).reserved(sent):
            return True
    except OverLimit:
        return False


def _payer(datasource: Datasource) -> Payer:
    reply = costs(datasource, 0).of(" " * datasource.chunk_size).completion_tokens
    return payer_of_graph(datasource, ModelRole.EXTRACTION, reply)


def _reader(datasource: Datasource, payer: Payer) -> ModelReader:
    model = structured_model(datasource, ModelRole.EXTRACTION, payer, watched=True)
    assert model, "asked only where by_model holds"
    return ModelReader(
        model=model, types=GraphSettings.objects.of(datasource).types, concurrency=settings.GRAPH_CONCURRENCY
    )


def read_chunks(
    datasource: Datasource, reader: ModelReader, chunks: Sequence[Chunk], kept: Callable[[int], None]
) -> bool:
    """Have the chunks read that are not, as far as budget and server go; whether none had to be left.

    `kept` is told how many chunks are finished, 0 once a second while none is; what it raises ends the
    reading. Equal texts are read once; answers that come while others are stored are stored together next.
    """
    by_text: dict[str, list[Chunk]] = defaultdict(list)
    for chunk, text in zip(chunks, sent_texts(chunks), strict=True):
        by_text[text].append(chunk)
    for texts in _portions(list(by_text)):
        kept(answers.tie_cached(datasource, reader, {text: by_text[text] for text in texts}))
    known = cache.cached(by_text, reader.prompt_hash, reader.model.name)
    left = {text: group for text, group in by_text.items() if cache.content_hash(text) not in known}
    if not left:
        return True
    announced = 0.0

    def keep(outcomes: Sequence[Outcome[ModelAnswer]]) -> None:
        nonlocal announced
        groups = {outcome.text: left.pop(outcome.text) for outcome in outcomes}
        if outcomes:
            answers.keep(datasource, reader, outcomes, groups)
        if outcomes and monotonic() - announced >= ANNOUNCE_EVERY:
            announced = monotonic()
            announce_spending(datasource)
        kept(sum(map(len, groups.values())))

    reader.read_all(list(left), keep)
    announce_spending(datasource)
    answers.keep_unread([chunk for group in left.values() for chunk in group], reader.gave_up)
    return not left


def _portions(texts: list[str]) -> Iterable[list[str]]:
    return (texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE))


def announce_spending(datasource: Datasource) -> None:
    """Let pages that are open show what has been spent."""
    so_far = spend(datasource)
    data = {
        "calls": so_far.calls,
        "tokens": so_far.tokens,
        "money": None if so_far.money is None else str(so_far.money),
    }
    log.append(progress.channel(datasource.pk), "extraction_progressed", data, ephemeral=True)
