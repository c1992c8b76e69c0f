"""Shows the asker's instructions in the trace: the model reads them with the question."""

from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted


class Instructing(Stage):
    """A line of the trace; a model that only quotes reads no instructions."""

    name = "instructions"
    label = "Instructions"
    icon = "pencil"

    def is_due(self, work: Work) -> bool:
        is_read = bool(work.instructions) and not work.model.plans_here
        return is_read and not work.answered and self.name not in work.done

    async def run(self, work: Work) -> None:
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, work.instructions, state="")))
