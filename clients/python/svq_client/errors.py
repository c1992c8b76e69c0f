"""The one exception of this package."""


class SvqError(Exception):
    """What SVQ refused, or why there was no answer from it.

    code: for programs, as SVQ's reference lists them; `unreachable`, `time_limit`, `unexpected_answer`,
    `address_malformed` and `token_malformed` are this package's own. message: what happened. hint: what to
    do next, may be empty. status: of HTTP; None where no answer came. retry_after: seconds after which the
    server takes the request again; None where it says nothing of that.
    """

    def __init__(
        self,
        code: str,
        message: str,
        hint: str = "",
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code, message, hint, status, retry_after)  # as they are given, so it can be pickled
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status
        self.retry_after = retry_after

    def __str__(self) -> str:
        status = f", {self.status}" if self.status else ""
        return f"{self.message} {self.hint}".rstrip() + f" ({self.code}{status})"


def time_limit(what: str, hint: str = "") -> SvqError:
    return SvqError("time_limit", f"The time limit is over: {what}", hint)
