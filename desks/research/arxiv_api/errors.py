"""What can go wrong with arXiv, in a person's words; each is of the shape of jobs.failures.Explained."""

from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_noop

from localization.stored import said


class ArxivError(Exception):
    """Final: asking the same again at once would not help."""

    code = "arxiv"
    message = gettext_noop("arXiv could not be reached.")
    hint = gettext_noop("Try again later.")
    transient = False

    def __init__(self, message: str = "", hint: str = "") -> None:
        self.message = message or self.message
        self.hint = hint or self.hint
        super().__init__(self.message)


class Offline(ArxivError):
    code = "arxiv_offline"

    def __init__(self) -> None:
        host = urlsplit(settings.ARXIV_API_URL).hostname
        super().__init__(
            said(
                "{host} cannot be reached from this server. It may have no connection to the internet.",
                host=str(host),
            ),
            gettext_noop(
                "What was imported before is kept. An administrator can set a mirror or a proxy "
                "(SVQ_ARXIV_API_URL, SVQ_ARXIV_PDF_URL, SVQ_ARXIV_PROXY)."
            ),
        )


class SwitchedOff(ArxivError):
    code = "arxiv_off"
    message = gettext_noop("Papers from arXiv are switched off here.")
    hint = gettext_noop("An administrator can allow them (SVQ_ARXIV).")


class NotThere(ArxivError):
    code = "arxiv_missing"


class BadContent(ArxivError):
    """What came is not what was asked for: too large, no PDF, no feed."""

    code = "arxiv_content"


class Refused(Exception):
    """Not now: arXiv is busy, or its answer broke off. `wait`: seconds for which it asked, 0 for none."""

    def __init__(self, reason: str, wait: float = 0) -> None:
        self.reason, self.wait = reason, wait
        super().__init__(reason)


class GaveUp(ArxivError):
    code = "arxiv_busy"
