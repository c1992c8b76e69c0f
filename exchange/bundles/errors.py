"""Why a bundle is not written or not taken in, in words for the person who asked."""

from django.utils.translation import gettext_noop

from localization.stored import said

AGAIN = gettext_noop("Nothing was stored. Export the datasource again and try with the new file.")


class BundleError(Exception):
    """What happened and what to do. Nothing was stored. Of the shape of jobs.failures.Explained.

    detail: the same more exactly, in English, for administrators and on the command line.
    """

    code = "bundle"
    transient = False

    def __init__(self, message: str, hint: str = "", *, detail: str = "") -> None:
        super().__init__(f"{detail or message} {hint}".strip())
        self.message = message
        self.hint = hint or AGAIN
        self.detail = detail


class Damaged(BundleError):
    """A part, or a line of it, that cannot be taken in. fault: in which way, as the end of a sentence."""

    def __init__(self, part: str, fault: str, *, line: int = 0, hint: str = "") -> None:
        message, place = said("{part} is not as SVQ writes it.", part=part), part
        if line:
            message = said("Line {line} of {part} can't be taken in.", line=line, part=part)
            place = f"Line {line:,} of {part}"
        super().__init__(message, hint, detail=f"{place} {fault}.")
