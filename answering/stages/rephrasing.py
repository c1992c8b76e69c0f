"""A follow-up question is rephrased so that it can be understood by itself."""

from django.utils.translation import gettext_noop

from answering.extractive.question import Question, stands_alone
from answering.question.own_words import greeting_reply
from answering.question.understand import understand
from answering.stages.stage import Stage
from answering.state.work import Rephrased, Work
from answering.values.events import QuestionUnderstood, StageStarted


class Rephrasing(Stage):
    """By the model; without one, or if it fails, by words of the one before if it needs them."""

    name = "rephrasing"
    label = gettext_noop("Rephrase")
    icon = "message-square-text"
    doing = gettext_noop("Reading the question")
    switch = "rephrase"
    time_limit = 8.0
    without = gettext_noop(
        "The question was not rephrased: where it says too little by itself, it was searched together with "
        "the words of the one before it."
    )

    def is_due(self, work: Work) -> bool:
        if not work.asked.history:
            return False
        return not stands_alone(work.asked.question) and not greeting_reply(work.asked.question)

    async def run(self, work: Work) -> None:
        if work.helper is None:
            self.give_up(work)
        else:
            await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, "")))
            understood = await understand(work.helper, work.asked.history, work.asked.question)
            work.usage += understood.usage
            work.rephrased = Rephrased(question=understood.question, by_model=True, intent=understood.intent)
        text = work.question if work.question != work.asked.question else "It stands alone"
        intent = work.rephrased.intent or ""
        step = self.step(self.name, text, state="")
        await work.means.emit(QuestionUnderstood(question=work.question, intent=intent, step=step))

    def give_up(self, work: Work) -> None:
        asked = [message.content for message in work.asked.history if message.role == "user"]
        question = Question.last_of([*asked, work.asked.question]).text
        work.rephrased = Rephrased(question=question, failed=True)
