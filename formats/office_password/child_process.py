"""The program that opens Office files with a password. Run in the sandbox, never imported."""

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# All kinds of file are loaded here: once the process is confined, less can be.
import msoffcrypto
from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError
from msoffcrypto.format import doc97, ooxml, ppt97, xls97  # noqa: F401

from formats.base.errors import ExtractionError, gettext_noop

# The library copies files of before 2007 to open them, and a confined process writes none.
tempfile.TemporaryFile = io.BytesIO  # type: ignore[assignment]
OF_2007 = "ooxml"

Frame = tuple[dict[str, Any], bytes]


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: the file without its protection."""
    content = io.BytesIO()
    try:
        office = msoffcrypto.OfficeFile(io.BytesIO(Path(request["path"]).read_bytes()))
        # Those of before 2007 are verified without being asked.
        asked = {"verify_password": True} if office.format == OF_2007 else {}
        office.load_key(password=request["password"], **asked)
        office.decrypt(content)
    except InvalidKeyError:
        raise ExtractionError("encrypted") from None
    except (DecryptionError, FileFormatError):
        raise ExtractionError(
            "unsupported",
            gettext_noop("This file is protected in a way that SVQ cannot open."),
            gettext_noop("Save a copy without the password and add that copy."),
        ) from None
    yield {}, content.getvalue()
