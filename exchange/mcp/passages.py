"""Passages in the words and the data of a tool's result, each with its page for people and for programs."""

from collections.abc import Sequence
from typing import Any

from chat.wording import IMPORTED
from datasources.models import Document
from exchange.mcp import links
from exchange.mcp.tool import Link, ToolResult
from retrieval.engine import Evidence


def as_result(passages: Sequence[Evidence], heading: str) -> ToolResult:
    """The passages, numbered for citing."""
    rows = as_data(passages)
    text = "\n\n".join([heading, *(in_words(row) for row in rows)])
    return ToolResult(text=text, data={"passages": rows}, links=pages_of(rows))


def as_data(passages: Sequence[Evidence]) -> list[dict[str, Any]]:
    columns = Document.objects.only("datasource", "read_elsewhere")
    documents = columns.in_bulk({each.document_id for each in passages})
    return [
        {
            "n": n,
            "document": each.document_id,
            "title": each.document_title,
            "pages": list(range(each.first_page, each.last_page + 1)),
            "chunk": each.chunk_id,
            "score": each.score,
            "text": each.text,
            "read_elsewhere": documents[each.document_id].read_elsewhere,
            "link": links.reader(
                documents[each.document_id].datasource_id, each.document_id, each.first_page, each.chunk_id
            ),
            "resource": links.PAGE.format(document=each.document_id, page=each.first_page),
        }
        for n, each in enumerate((each for each in passages if each.document_id in documents), start=1)
    ]


def in_words(row: dict[str, Any]) -> str:
    first, last = row["pages"][0], row["pages"][-1]
    pages = f"page {first}" if first == last else f"pages {first} to {last}"
    about = f"document {row['document']}" + (f"; {IMPORTED}" if row["read_elsewhere"] else "")
    return f"[{row['n']}] {row['title']}, {pages} ({about})\n{row['link']}\n{row['text']}"


def pages_of(rows: Sequence[dict[str, Any]]) -> tuple[Link, ...]:
    """Each page once."""
    names = {row["resource"]: f"{row['title']}, page {row['pages'][0]}" for row in rows}
    return tuple(Link(uri=uri, name=name) for uri, name in names.items())
