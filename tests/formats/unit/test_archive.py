"""A zip archive that can't be opened is damaged only where that is in the archive."""

from pathlib import Path

import pytest

from formats.base.errors import ExtractionError
from formats.embedded.archive import Archive


def test_an_archive_that_is_not_there_is_not_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Archive(tmp_path / "lease.docx")


def test_what_is_no_archive_is_damaged() -> None:
    with pytest.raises(ExtractionError) as refused:
        Archive(b"PK and nothing more")
    assert refused.value.code == "corrupt"
