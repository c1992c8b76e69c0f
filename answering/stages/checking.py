"""The outcome of an answer, from its checked quotes."""

from collections.abc import Sequence

from django.utils.translation import gettext_noop

from answering.stages.stage import NothingProven, Stage
from answering.state.work import Work
from answering.tools.runner import SearchFailed
from answering.values.events import Step
from answering.values.outcome import Outcome
from citations.checked import CheckedQuote
from citations.choices import Support
from text.counted import counted


class Checking(Stage):
    """Quotes are checked one by one as they are written, each with its event. Here all are counted."""

    name = "checking"
    label = gettext_noop("Check")
    icon = "badge-check"

    def is_due(self, work: Work) -> bool:
        return work.written is not None and work.outcome is None

    async def run(self, work: Work) -> None:
        written = work.written
        assert written is not None
        if written.found == "none" and work.means.tools.broken:
            raise SearchFailed(work.means.tools.broken)
        if written.found == "none" or not (_on_page(work.citations) or written.text.strip()):
            work.outcome = Outcome.NOT_FOUND
        elif not _on_page(work.citations):
            if work.citations:  # all of them invented
                raise NothingProven
            work.outcome = Outcome.UNPROVEN
        elif work.means.model.quotes_only:
            work.outcome = Outcome.QUOTES
        elif written.found == "some":
            work.outcome = Outcome.PARTIAL
        else:
            work.outcome = Outcome.ANSWERED

    def counted(self, citations: Sequence[CheckedQuote], *, quotes_only: bool) -> Step:
        """How many quotes stand on their pages; where there are claims, how many of them are supported."""
        located = len(_on_page(citations))
        if quotes_only:
            text = f"{counted(len(citations), 'passage')}, word for word, closest first"
            return self.step(self.name, text, label=gettext_noop("Pick"), icon="quote", state="")
        text = f"{located} of {len(citations)} quotes on the page"
        judged = [citation for citation in citations if citation.support != Support.NONE]
        supporting = [citation for citation in judged if citation.support == Support.SUPPORTED]
        if judged:
            text += f", {len(supporting)} support{'s' if len(supporting) == 1 else ''} the claim"
        state = "" if located == len(citations) and len(supporting) == len(judged) else "w"
        return self.step(self.name, text, state=state)


def _on_page(citations: Sequence[CheckedQuote]) -> list[CheckedQuote]:
    return [citation for citation in citations if citation.is_on_page]
