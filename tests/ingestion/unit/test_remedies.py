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


@pytest.mark.parametrize(
    ("mime", "code", "step"),
    [
        ("application/rtf", "unsupported", "Open it in Word, save it as .docx and add that."),
        ("application/pdf", "encrypted", "Enter its password, which is used once and not stored."),
        ("image/png", "encrypted", "Open it in Word, save it as .docx and add that."),
    ],
)
def test_a_row_says_what_to_do(mime: str, code: str, step: str) -> None:
    hint = "Open it in Word, save it as .docx and add that."
    document = Document(status=DocumentStatus.FAILED, error_code=code, error_hint=hint, mime=mime)
    assert Row(document=document, tone="bad", icon="x", label="Failed").next_step == step
