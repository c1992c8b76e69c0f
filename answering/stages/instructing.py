"""Shows the asker's instructions in the trace: the model reads them with the question."""

from django.utils.translation import gettext_noop

from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import StageStarted


class Instructing(Stage):
    """A line of the trace; a model that only quotes reads no instructions."""

    name = "instructions"
    label = gettext_noop("Instructions")
    icon = "pencil"

    def is_due(self, work: Work) -> bool:
        is_read = bool(work.asked.instructions) and not work.means.model.plans_here
        return is_read and work.written is None

    async def run(self, work: Work) -> None:
        await work.means.emit(
            StageStarted(stage=self.name, step=self.step(self.name, work.asked.instructions, state=""))
        )
