"""Why a bundle is not written or not taken in, in words for the person who asked."""


class BundleError(Exception):
    """What happened and what to do. Nothing was stored. Of the shape of jobs.failures.Explained."""

    code = "bundle"
    transient = False

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.message = message
        self.hint = hint or "Nothing was stored. Export the datasource again and try with the new file."
