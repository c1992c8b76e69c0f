"""Why a file could not be read: a code, what happened, and what to do next."""

import errno

from localization.sentences import worded


def gettext_noop(sentence: str) -> str:
    """The sentence as it is, for a catalogue of translations: pages look it up there. Django's own would
    load Django into every process that reads a file.
    """
    return sentence


_FAILURES = {
    "encrypted": (
        gettext_noop("This file is password protected, so its text could not be read."),
        gettext_noop("Save a copy without the password and add that copy."),
    ),
    "corrupt": (
        gettext_noop("This file is damaged and could not be opened."),
        gettext_noop(
            "Download or export the file again, then add the new copy; or read it again, if it opens "
            "elsewhere."
        ),
    ),
    "empty": (
        gettext_noop("This file is empty: there is nothing to read in it."),
        gettext_noop("Check that the file was saved or uploaded completely, then add it again."),
    ),
    "not_started": (
        gettext_noop("The program that reads such files did not start."),
        gettext_noop(
            "The file may be fine: read it again later. An administrator finds the cause in the log."
        ),
    ),
    "ended": (
        gettext_noop("The program that reads such files was ended from outside."),
        gettext_noop("The file may be fine: read it again."),
    ),
    "timeout": (
        gettext_noop("Reading this file took too long and was stopped."),
        gettext_noop("Split it into smaller files, or print it to a new PDF, then add those."),
    ),
    "unwanted": (
        gettext_noop("Whoever sent this file no longer waits, so reading it was stopped."),
        gettext_noop("Nothing was stored. Send it again."),
    ),
    "memory": (
        gettext_noop("Reading this file needed more memory than is allowed and was stopped."),
        gettext_noop("Split it into smaller files, or print it to a new PDF, then add those."),
    ),
    "unsupported": (
        gettext_noop("This file is not of a kind that can be read here."),
        gettext_noop("Convert it to PDF and add the PDF."),
    ),
    "needs_ocr": (
        gettext_noop("No page of this file has any text: the pages are pictures."),
        gettext_noop("Have its text recognised (OCR)."),
    ),
    "ocr_failed": (
        gettext_noop("Text recognition (OCR) failed at the pages of this file."),
        gettext_noop("Read it again when the server is less busy, or add a scan with smaller pages."),
    ),
    "no_words": (
        gettext_noop("Text recognition (OCR) found no words on the pages of this file."),
        gettext_noop(
            "It reads print in Latin letters, Chinese and Japanese. Add a sharper scan, or a file with text."
        ),
    ),
    "too_many_chunks": (
        gettext_noop("This file has more passages than are allowed. None of it is searched."),
        gettext_noop(
            "Choose larger passages in the settings of the datasource and retry it, or split the file."
        ),
    ),
    "too_large": (
        gettext_noop("This file is larger than is allowed."),
        gettext_noop("Split it into smaller files and add those."),
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


def too_large(message: str, /, *, hint: str = "", **values: str | int) -> ExtractionError:
    """A file with more than is allowed, said with these values; it marks the message for translation, too."""
    return ExtractionError("too_large", worded(message, **values), hint)


def too_many_bytes(size: int, most: int) -> ExtractionError:
    return too_large("This file has {n} bytes; {most} are allowed.", n=size, most=most)
