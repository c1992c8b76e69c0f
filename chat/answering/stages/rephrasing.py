"""A follow-up question is rephrased so that it can be understood by itself."""

from chat.answering.extractive.question import Question, stands_alone
from chat.answering.question.understand import understand
from chat.answering.stages.stage import Stage, Work
from chat.events import QuestionUnderstood, StageStarted
from chat.own_words import greeting_reply


class Rephrasing(Stage):
    """By the model; without one, or if it fails, by words of the one before if it needs them."""

    name = "rephrasing"
    label = "Rephrase"
    icon = "message-square-text"
    doing = "Reading the question"
    switch = "rephrase"
    time_limit = 8.0
    without = (
        "The question was not rephrased: where it says too little by itself, it was searched together with "
        "the words of the one before it"
    )

    def is_due(self, work: Work) -> bool:
        if not work.history or self.name in work.done:
            return False
        return not stands_alone(work.question) and not greeting_reply(work.question)

    async def run(self, work: Work) -> None:
        if work.helper is None:
            self.give_up(work)
        else:
            await work.emit(StageStarted(stage=self.name, step=self.step(self.name, "")))
            understood = await understand(work.helper, work.history, work.question)
            work.usage += understood.usage
            work.standalone, work.supposed_intent = understood.question, understood.intent
            work.rephrased = True
        text = work.standalone if work.standalone != work.question else "It stands alone"
        intent = work.supposed_intent or ""
        step = self.step(self.name, text, state="")
        await work.emit(QuestionUnderstood(question=work.standalone, intent=intent, step=step))

    def give_up(self, work: Work) -> None:
        asked = [message.content for message in work.history if message.role == "user"]
        work.standalone = Question.last_of([*asked, work.question]).text
        work.helper = None  # it would fail again
        work.done.add(self.name)
