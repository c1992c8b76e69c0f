"""Of which documents LibreOffice's drawing is shown."""

import pytest

from datasources.models import Document, DocumentStatus
from formats.word.format import WORD
from reader.original_look import is_offered


@pytest.mark.parametrize(
    ("status", "is_shown"),
    [
        (DocumentStatus.READY, True),
        (DocumentStatus.SUPERSEDED, True),  # old answers cite it
        (DocumentStatus.EXTRACTING, False),  # there are no words yet with which the drawing could agree
        (DocumentStatus.FAILED, False),  # the same bytes, added by somebody who lacks their password
        (DocumentStatus.DELETED, False),
    ],
)
def test_only_a_document_that_has_been_read_has_an_original_look(
    monkeypatch: pytest.MonkeyPatch, status: DocumentStatus, is_shown: bool
) -> None:
    monkeypatch.setattr("formats.legacy.original_look.soffice", lambda: "/usr/bin/soffice")
    assert is_offered(Document(mime=WORD.mime, status=status)) is is_shown
