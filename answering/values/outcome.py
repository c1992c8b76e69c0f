"""What becomes of a question that is answered to its end."""

from enum import StrEnum


class Outcome(StrEnum):
    """`QUOTES`: passages without a claim; `UNPROVEN`: nothing that was written has a source."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    QUOTES = "quotes"
    UNPROVEN = "unproven"
    NOT_FOUND = "not_found"
