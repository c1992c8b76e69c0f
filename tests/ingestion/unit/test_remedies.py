"""What a row of the documents page offers for a document that was not read."""

import pytest

from datasources.models import Document, DocumentStatus
from ingestion.web.rows import Row


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("unreachable", "retry"),
        ("timeout", "retry"),
        ("corrupt", "replace"),
        ("type", "replace"),
        ("already_here", ""),
    ],
)
def test_reading_again_is_offered_where_it_may_help(code: str, remedy: str) -> None:
    document = Document(status=DocumentStatus.FAILED, error_code=code, mime="text/html")
    assert Row(document=document, tone="bad", icon="x", label="Failed").remedy == remedy
