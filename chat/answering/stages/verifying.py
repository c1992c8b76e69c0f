"""What the checked quotes make of the answer."""

from collections.abc import Sequence

from chat.answering.stages.stage import Stage, Work
from chat.events import Step
from chat.models import TurnStatus, Verdict


class Verifying(Stage):
    """Each quote is checked as soon as it is written; its event carries the step. Here all are counted."""

    name = "verifying"
    label = "Verify"
    icon = "badge-check"

    def is_due(self, work: Work) -> bool:
        return work.answered and work.outcome is None

    async def run(self, work: Work) -> None:
        located = [verdict for verdict in work.verdicts if verdict != Verdict.NO_SOURCE]
        if work.found == "none" or not located:
            work.outcome = TurnStatus.NOT_FOUND
        elif work.found == "some":
            work.outcome = TurnStatus.PARTIAL
        else:
            work.outcome = TurnStatus.ANSWERED

    def counted(self, verdicts: Sequence[str]) -> Step:
        """How many quotes stand on their pages, and how many of those support their claim."""
        located = sum(verdict != Verdict.NO_SOURCE for verdict in verdicts)
        good = sum(verdict == Verdict.VERIFIED for verdict in verdicts)
        quotes = "1 quote" if located == 1 else f"{located} quotes"
        supports = "supports its claim" if good == 1 == located else f"{good} support their claim"
        state = "" if good == len(verdicts) else "w"
        return self.step(self.name, f"{quotes} found on the page, {supports}", state=state)
