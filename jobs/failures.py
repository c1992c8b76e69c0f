"""What an exception means for the job that raised it: to be tried again, or failed for good."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from django.db import InterfaceError, OperationalError

from localization.stored import LONGEST, words_of

# The database or a disk: it is away for a while, and nothing is wrong with the work itself.
STORAGE_ERRORS = (OperationalError, InterfaceError, OSError)


@runtime_checkable
class Explained(Protocol):
    """An exception that tells a person what happened (`message`) and what to do (`hint`, may be empty).

    `transient`: the same may succeed later. Those of model servers and of unreadable files are of this shape.
    """

    code: str
    message: str
    hint: str
    transient: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a run failed, as its row keeps it and as its events tell it; `detail` is for administrators.

    message, hint: sentences that are marked for translation, or such with values in them, which were `said`.
    """

    code: str
    message: str
    hint: str
    detail: str = ""

    def columns(self) -> dict[str, Any]:
        """The values of a FencedRow."""
        words = {"message": words_of(self.message), "hint": words_of(self.hint)}
        return {
            "error_code": self.code,
            "error_words": words if any(words.values()) else None,
            "error_message": self.message[:LONGEST],
            "error_hint": self.hint[:LONGEST],
            "error_detail": self.detail,
        }


def detail_of(error: BaseException) -> str:
    """What only administrators may read of an error, where it has such a thing."""
    return str(getattr(error, "detail", ""))


def is_transient(error: BaseException) -> bool:
    """Whether another attempt may help: also without memory, because a fresh worker has more."""
    is_short = isinstance(error, (*STORAGE_ERRORS, MemoryError))
    return is_short or (isinstance(error, Explained) and error.transient)


def wait_asked_for(error: BaseException) -> float:
    """Seconds that the server which failed asks everybody to wait; 0 where it asks for nothing."""
    return float(getattr(error, "retry_after", None) or 0.0)
