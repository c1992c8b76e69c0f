"""Every passage with the exact words: how many there are, in which documents, and a page of them."""

from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field

from ingestion.models import Chunk
from jobs.fair_slots import Busy
from localization.stored import Said, said, said_of, sentences
from providers.protocols import Embedder
from retrieval.evidence import Evidence, evidence_of
from retrieval.legs.mentions import SECONDS, Mentions, mentions
from retrieval.query import Scope
from retrieval.slots import SCANS
from retrieval.tables import with_tables
from retrieval.tools.tool import Note, Tool
from sql.time_limit import TooSlow

PER_PAGE = 25
SECONDS_OF_SLOT = 2.0  # for a slot to count in
SECONDS_OF_PAGE = 3  # for reading the passages of a page: the stage that counts waits 20 for all
TITLES = 50  # documents that the model is told of
TOO_SLOW = (
    f"Not counted: looking through all passages takes longer than {SECONDS} seconds here. How many there "
    "are is not known. Search for the words instead."
)
BUSY = "Not counted: too many counts are running. How many there are is not known. Try again in a moment."


class Arguments(BaseModel):
    """Count every place and every passage with these very words, and list which documents have them: nothing
    is left out. For "how many", "list all", "which documents mention"."""

    words: str = Field(min_length=2, max_length=200, description="A name, code or phrase as it is written.")
    page: int = Field(default=1, ge=1, le=10_000, description=f"Which {PER_PAGE} of the passages to read.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    return with_note(scope, embedder, arguments)[0]


def with_note(scope: Scope, embedder: Embedder, arguments: Arguments) -> tuple[list[Evidence], Note]:
    try:
        with SCANS.taken_by(scope.user_id, patience=SECONDS_OF_SLOT):
            found = mentions([scope], arguments.words)
            chunks = _page(found, arguments.page)
    except TooSlow:
        return [], Note(text=TOO_SLOW)
    except Busy:
        return [], Note(text=BUSY)
    evidence = with_tables([evidence_of(chunk, 1.0) for chunk in chunks])
    total = in_words(found)
    pages = max(1, -(-found.passages // PER_PAGE))
    where = (
        f"This is page {arguments.page} of {pages}." if evidence else "No passages of this page are shown."
    )
    told = f"All counted: {total} {where}"
    return evidence, Note(text=told, counted=total, documents=found.documents)


def _page(found: Mentions, page: int) -> list[Chunk]:
    """The passages of a page; none if finding them takes too long: the count is given without them."""
    try:
        return found.chunks((page - 1) * PER_PAGE, PER_PAGE, SECONDS_OF_PAGE)
    except TooSlow:
        return []


def in_words(found: Mentions) -> Said:
    documents = found.documents
    if not documents:
        return said("no passage has the words “{words}”.", words=found.words)
    most = [f"{each.title} ({each.places:,})" for each in documents[:TITLES]]
    if more := len(documents) - len(most):
        most.append(said_of("{n} more document", "{n} more documents", n=more))
    return sentences(
        said(
            "“{words}” occurs {at}, {within} {of}.",
            words=found.words,
            at=said_of("at {n} place", "at {n} places", n=found.places),
            within=said_of("in {n} passage", "in {n} passages", n=found.passages),
            of=said_of("of {n} document", "of {n} documents", n=len(documents)),
        ),
        said("Places by document: {documents}.", documents=most),
    )


LIST_MENTIONS = Tool(
    name="list_mentions",
    label=gettext_noop("Count"),
    icon="list-checks",
    arguments=Arguments,
    run=run,
    with_note=with_note,
)
