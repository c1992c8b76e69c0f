"""Why a web page could not be fetched, in the words that a person reads."""

from django.utils.translation import gettext_noop

WRONG_TYPE, ALREADY_HERE = "type", "already_here"  # codes of what fetching again does not help

USUAL_HINT = gettext_noop("Check the address, or save the page as a file and add that.")


class FetchError(Exception):
    """message: what happened; hint: what to do. The job does not try again by itself."""

    transient = False

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        self.code = code
        self.message = message
        self.hint = hint or USUAL_HINT
        super().__init__(message)
