"""What was read of whole documents, measured as a model is given it, and shortened to what fits. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from answering.shortening.compression import compressed
from answering.tools.passages import KeyedPassage, write
from providers.openai.tokens import estimated_tokens
from retrieval.evidence import Evidence
from retrieval.tables import markdown


def tokens_of(passages: Iterable[Evidence]) -> int:
    """Of all of them, with their tables and what frames each."""
    return sum(
        _frame(passage) + estimated_tokens(passage.text + markdown(passage, passage.text))
        for passage in passages
    )


def fitted(
    passages: Iterable[Evidence], texts: Mapping[int, str], question: str, room: int
) -> tuple[Mapping[int, str], int]:
    """The texts, by chunk, in at most `room` tokens, by whole sentences, and how many tokens they had. texts:
    what is left of the passages.
    """
    left = [replace(each, text=texts[each.chunk_id]) for each in passages if each.chunk_id in texts]
    tokens = tokens_of(left)
    if tokens <= room:
        return texts, tokens
    return compressed(left, question, room, {each.chunk_id: _frame(each) for each in left}), tokens


def _frame(passage: Evidence) -> int:
    """Tokens of a passage without a text."""
    first, last = passage.first_page, passage.last_page
    empty = KeyedPassage(
        key="c100",
        document=passage.document_title,
        pages=f"{first}-{last}",
        score=1.0,
        text="",
        section=passage.section,
        table_heads=passage.table_heads,
    )
    return estimated_tokens(write([empty]))
