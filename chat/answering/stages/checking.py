"""The outcome of an answer, from its checked quotes."""

from collections.abc import Sequence

from chat.answering.stages.stage import NothingProven, Stage, Work
from chat.answering.tools.runner import SearchFailed
from chat.events import Step
from chat.models import Citation, TurnStatus
from citations.choices import OnPage, Support
from text.counted import counted


class Checking(Stage):
    """Quotes are checked one by one as they are written, each with its event. Here all are counted."""

    name = "checking"
    label = "Check"
    icon = "badge-check"

    def is_due(self, work: Work) -> bool:
        return work.answered and work.outcome is None

    async def run(self, work: Work) -> None:
        if work.found == "none" and work.tools.broken:
            raise SearchFailed(work.tools.broken)
        if work.found == "none" or not (_on_page(work.citations) or work.text.strip()):
            work.outcome = TurnStatus.NOT_FOUND
        elif not _on_page(work.citations):
            if work.citations:  # all of them invented
                raise NothingProven
            work.outcome = TurnStatus.UNPROVEN
        elif work.model.quotes_only:
            work.outcome = TurnStatus.QUOTES
        elif work.found == "some":
            work.outcome = TurnStatus.PARTIAL
        else:
            work.outcome = TurnStatus.ANSWERED

    def counted(self, citations: Sequence[Citation], *, quotes_only: bool) -> Step:
        """How many quotes stand on their pages; where there are claims, how many of them are supported."""
        located = len(_on_page(citations))
        if quotes_only:
            text = f"{counted(len(citations), 'passage')}, word for word, closest first"
            return self.step(self.name, text, label="Pick", icon="quote", state="")
        text = f"{located} of {len(citations)} quotes on the page"
        judged = [citation for citation in citations if citation.support != Support.NONE]
        supporting = [citation for citation in judged if citation.support == Support.SUPPORTED]
        if judged:
            text += f", {len(supporting)} support{'s' if len(supporting) == 1 else ''} the claim"
        state = "" if located == len(citations) and len(supporting) == len(judged) else "w"
        return self.step(self.name, text, state=state)


def _on_page(citations: Sequence[Citation]) -> list[Citation]:
    return [citation for citation in citations if citation.on_page != OnPage.ABSENT]
