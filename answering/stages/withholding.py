"""In a strict datasource, an answer with an invented claim is replaced by the closest passages."""

from django.utils.translation import gettext_noop

from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import StageStarted
from answering.values.outcome import Outcome
from localization.stored import Said, said_of, sentences
from text.counted import counted

ALL_UNPROVEN = gettext_noop(
    "None of it is proven by the documents, and this datasource shows no such answer."
)
SHOWN_BELOW = gettext_noop("What was written and the closest passages are below.")


class Withholding(Stage):
    """What was written can still be read, labelled as unproven."""

    name = "withholding"
    label = gettext_noop("Withhold")
    icon = "eye-off"
    switch = "strict"

    def is_due(self, work: Work) -> bool:
        answered = work.outcome in {Outcome.ANSWERED, Outcome.PARTIAL}
        return work.new_answer is not None and (
            work.outcome == Outcome.UNPROVEN
            or (answered and any(each.is_invented for each in work.citations))
        )

    async def run(self, work: Work) -> None:
        invented = sum(each.is_invented for each in work.citations)
        told = f"{invented} of {counted(len(work.citations), 'claim')}" if work.citations else "All of it"
        work.outcome = Outcome.NOT_FOUND
        work.notice(
            "withheld",
            sentences(_unproven(invented, len(work.citations)), SHOWN_BELOW),
        )
        step = self.step(self.name, f"{told} not proven: the answer is not shown as one", state="w")
        await work.means.emit(StageStarted(stage=self.name, step=step))


def _unproven(invented: int, claims: int) -> str | Said:
    """Where an answer makes no claims, nothing of it is proven."""
    if not claims:
        return ALL_UNPROVEN
    return said_of(
        "{n} of {claims} claims is not proven by the documents, and this datasource shows no such answer.",
        "{n} of {claims} claims are not proven by the documents, and this datasource shows no such answer.",
        invented,
        claims=claims,
    )
