"""The one error that providers raise."""


class ProviderError(Exception):
    """A model server did not deliver.

    `message` is fit for a person to read. `transient` says that the same request may succeed later;
    `retry_after` is the wait in seconds that the server asked for, if it asked; `busy` that it gets too many
    requests, whatever they ask; `stalled` that it was waited for as long as is allowed; `cut` that the answer
    had begun and came to no end; `too_long` that the model reads less at a time than it was given; `may_cost`
    that the server may have worked before it failed, so that the call is charged. `detail` is for
    administrators alone: it may name addresses.
    """

    code = "model"
    hint = ""

    def __init__(
        self,
        message: str,
        *,
        transient: bool = False,
        retry_after: float | None = None,
        busy: bool = False,
        stalled: bool = False,
        cut: bool = False,
        too_long: bool = False,
        may_cost: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.transient = transient
        self.retry_after = retry_after
        self.busy = busy
        self.stalled = stalled
        self.cut = cut
        self.too_long = too_long
        self.may_cost = may_cost or stalled or cut
        self.detail = ""


class UnreadableReply(ProviderError):
    """A model's answer cannot be read. Asked again, it may answer otherwise."""

    def __init__(self, message: str) -> None:
        super().__init__(message, transient=True)


class PictureRefused(ProviderError):
    """A text recogniser answered, but not with the words of this picture; others may go well."""


class Looping(ProviderError):
    """A model repeats itself without an end; what it wrote is worth nothing from there on."""

    code = "model_loops"

    def __init__(self) -> None:
        super().__init__(
            "The model began to repeat itself and was stopped. Nothing is lost. Ask otherwise, or connect "
            "another model.",
            cut=True,
        )
