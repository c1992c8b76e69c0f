"""In a strict datasource, an answer with an invented claim is replaced by the closest passages."""

from chat.answering.stages.stage import Stage, Work
from chat.citation_rows.verdict import is_invented
from chat.events import StageStarted
from chat.models import TurnStatus
from text.counted import counted


class Withholding(Stage):
    """What was written can still be read, labelled as unproven."""

    name = "withholding"
    label = "Withhold"
    icon = "eye-off"
    switch = "strict"

    def is_due(self, work: Work) -> bool:
        answered = work.outcome in {TurnStatus.ANSWERED, TurnStatus.PARTIAL}
        return work.is_new and (
            work.outcome == TurnStatus.UNPROVEN or (answered and any(map(is_invented, work.citations)))
        )

    async def run(self, work: Work) -> None:
        invented = sum(map(is_invented, work.citations))
        told = f"{invented} of {counted(len(work.citations), 'claim')}" if work.citations else "All of it"
        verb = "is" if invented == 1 or not work.citations else "are"
        work.outcome = TurnStatus.NOT_FOUND
        work.notice(
            "withheld",
            f"{told} {verb} not proven by the documents, and this datasource shows no such answer. "
            "What was written and the closest passages are below.",
        )
        step = self.step(self.name, f"{told} not proven: the answer is not shown as one", state="w")
        await work.emit(StageStarted(stage=self.name, step=step))
