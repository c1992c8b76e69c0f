"""Every passage with the very words: how many there are, in which documents, and a page of them."""

from pydantic import BaseModel, Field

from jobs.fair_slots import Busy
from providers.protocols import Embedder
from retrieval.evidence import Evidence, evidence_of
from retrieval.legs.mentions import SECONDS, Mentions, mentions
from retrieval.query import Scope
from retrieval.slots import SCANS
from retrieval.table_heads import with_table_heads
from retrieval.tools.tool import Note, Tool
from sql.time_limit import TooSlow

PER_PAGE = 25
TITLES = 50  # documents that the model is told of
NOT_COUNTED = (
    f"Not counted: looking through all passages took longer than {SECONDS} seconds, or others were counting. "
    "How many there are is not known. Try again, or search for the words instead."
)


class Arguments(BaseModel):
    """Count every place and every passage with these very words, and list which documents have them: nothing
    is left out. For "how many", "list all", "which documents mention"."""

    words: str = Field(min_length=2, max_length=200, description="A name, code or phrase as it is written.")
    page: int = Field(default=1, ge=1, le=10_000, description=f"Which {PER_PAGE} of the passages to read.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    return with_note(scope, embedder, arguments)[0]


def with_note(scope: Scope, embedder: Embedder, arguments: Arguments) -> tuple[list[Evidence], Note]:
    try:
        with SCANS.taken_by(scope.user_id):
            counted = mentions([scope], arguments.words)
            chunks = counted.chunks((arguments.page - 1) * PER_PAGE, PER_PAGE)
    except (TooSlow, Busy):
        return [], Note(text=NOT_COUNTED)
    evidence = with_table_heads([evidence_of(chunk, 1.0) for chunk in chunks])
    total = in_words(counted)
    pages = max(1, -(-counted.passages // PER_PAGE))
    return evidence, Note(
        text=f"Counted to the last: {total} This is page {arguments.page} of {pages}.", counted=total
    )


def in_words(counted: Mentions) -> str:
    documents = counted.documents
    if not documents:
        return f"no passage has the words “{counted.words}”."
    told = ", ".join(f"{each.title} ({each.places})" for each in documents[:TITLES])
    more = len(documents) - TITLES
    return (
        f"“{counted.words}” stands at {_number(counted.places, 'place')}, in "
        f"{_number(counted.passages, 'passage')} of {_number(len(documents), 'document')}. "
        f"Places by document: {told}" + (f", and {more} more documents." if more > 0 else ".")
    )


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


LIST_MENTIONS = Tool(
    name="list_mentions", label="Count", icon="list-checks", arguments=Arguments, run=run, with_note=with_note
)
