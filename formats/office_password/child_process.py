"""The program that opens Office files with a password. Run in the sandbox, never imported."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Both kinds of file are loaded here: once the process is confined, less can be.
import msoffcrypto
from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError
from msoffcrypto.format import ooxml, xls97  # noqa: F401

from formats.base.errors import ExtractionError

Frame = tuple[dict[str, Any], bytes]


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """One frame: the file without its protection."""
    content = io.BytesIO()
    try:
        office = msoffcrypto.OfficeFile(io.BytesIO(Path(request["path"]).read_bytes()))
        office.load_key(password=request["password"], verify_password=True)
        office.decrypt(content)
    except InvalidKeyError:
        raise ExtractionError("encrypted") from None
    except (DecryptionError, FileFormatError):
        raise ExtractionError(
            "unsupported",
            "This file is protected in a way that SVQ cannot open.",
            "Save a copy without the password and add that copy.",
        ) from None
    yield {}, content.getvalue()
