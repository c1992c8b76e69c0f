"""Why a file could not be read: a code, what happened, and what to do next."""

import errno

_FAILURES = {
    "encrypted": (
        "This file is password protected, so its text could not be read.",
        "Save a copy without the password and add that copy.",
    ),
    "corrupt": (
        "This file is damaged and could not be opened.",
        "Download or export the file again, then add the new copy; or read it again, if it opens elsewhere.",
    ),
    "empty": (
        "This file is empty: there is nothing to read in it.",
        "Check that the file was saved or uploaded completely, then add it again.",
    ),
    "not_started": (
        "The program that reads such files did not start.",
        "The file may be fine: read it again later. An administrator finds the cause in the log.",
    ),
    "ended": (
        "The program that reads such files was ended from outside.",
        "The file may be fine: read it again.",
    ),
    "timeout": (
        "Reading this file took too long and was stopped.",
        "Split it into smaller files, or print it to a new PDF, then add those.",
    ),
    "unwanted": (
        "Whoever sent this file no longer waits, so reading it was stopped.",
        "Nothing was stored. Send it again.",
    ),
    "memory": (
        "Reading this file needed more memory than is allowed and was stopped.",
        "Split it into smaller files, or print it to a new PDF, then add those.",
    ),
    "unsupported": (
        "This file is not of a kind that can be read here.",
        "Convert it to PDF and add the PDF.",
    ),
    "needs_ocr": (
        "No page of this file has any text: the pages are pictures.",
        "Have its text recognised (OCR).",
    ),
    "ocr_failed": (
        "Text recognition (OCR) failed at the pages of this file.",
        "Read it again when the server is less busy, or add a scan with smaller pages.",
    ),
    "no_words": (
        "Text recognition (OCR) found no words on the pages of this file.",
        "It reads print in Latin letters, Chinese and Japanese. Add a sharper scan, or a file with text.",
    ),
    "too_many_chunks": (
        "This file has more passages than are allowed. None of it is searched.",
        "Choose larger passages in the settings of the datasource and retry it, or split the file.",
    ),
    "too_large": (
        "This file is larger than is allowed.",
        "Split it into smaller files and add those.",
    ),
}

CODES = tuple(_FAILURES)

# What only another file can help with: reading the same bytes again would end the same way.
IN_THE_FILE = frozenset({"encrypted", "corrupt", "empty", "unsupported", "no_words", "too_large"})


# What the system says of a file that may be fine: it is not there, not to be opened, or there is no room.
_OF_THE_SYSTEM = frozenset(
    {errno.ENOENT, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO}
)


def is_of_the_system(error: BaseException | None) -> bool:
    """Whether reading failed for a reason that is not in the file."""
    return isinstance(error, OSError) and error.errno in _OF_THE_SYSTEM


class ExtractionError(Exception):
    """A document that cannot be read. code: a key of the table above; message: what happened; hint: what
    to do next.
    """

    transient = False

    def __init__(self, code: str, message: str = "", hint: str = "") -> None:
        usual_message, usual_hint = _FAILURES[code]
        self.code = code
        self.message = message or usual_message
        self.hint = hint or usual_hint
        super().__init__(f"{self.message} {self.hint}")
