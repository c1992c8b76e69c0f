"""Why a web page could not be fetched, in the words that a person reads."""

WRONG_TYPE, ALREADY_HERE = "type", "already_here"  # codes of what fetching again does not help


class FetchError(Exception):
    """message: what happened; hint: what to do. The job does not try again by itself."""

    transient = False

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        self.code = code
        self.message = message
        self.hint = hint or "Check the address, or save the page as a file and add that."
        super().__init__(message)
