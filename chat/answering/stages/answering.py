"""The model writes the answer."""

from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted


class Answering(Stage):
    """Reads the reply that planning has opened to its end."""

    name = "answering"
    label = "Write"
    icon = "pencil"
    doing = "Writing the answer"

    def is_due(self, work: Work) -> bool:
        return work.reply is not None

    async def run(self, work: Work) -> None:
        assert work.reply is not None
        if work.reply.text and not work.model.quotes_only:
            # In the place of the plan: the model had planned to write.
            step = self.step(f"round-{work.round}", "claims bound to quotes while writing")
            await work.emit(StageStarted(stage=self.name, step=step))
        if work.reply.text:
            await work.show(work.reply.text, False)
        while await work.reply.grow():
            await work.show(work.reply.text, False)
        assert work.reply.whole is not None
        answer = work.reply.answer
        work.usage += work.reply.whole.usage
        work.answered, work.found, work.reply = True, answer.found, None
        await work.show(answer.answer, True)
