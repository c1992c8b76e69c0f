"""Without a language model that reads whole documents: what that means for a summary, a list or a comparison,
and what SVQ shows instead.
"""

from chat.answering.stages.counting import counted_words
from chat.answering.stages.stage import Stage, Work
from chat.answering.whole.asking import Wanted, named, names_a_matter, wanted, without_task
from chat.answering.whole.library import Library
from chat.models import TurnStatus
from chat.own_words import ASK_OTHERWISE

NEEDS_MODEL = "needs_model"  # the notice's code; pages show links with it
CANNOT = {
    Wanted.SUMMARY: "so SVQ cannot write a summary",
    Wanted.LIST: "so SVQ cannot write a complete list",
    Wanted.COMPARISON: "so SVQ cannot write a comparison",
}
NOT_CONNECTED = "No language model is connected"
NOT_ANSWERING = "No language model answers this question"  # the one that is connected has failed, or may not
NOT_WHOLE = "The language model here reads passages, not whole documents"
CLOSEST = "These are only the closest passages."
INSTEAD = {
    Wanted.SUMMARY: "At a glance shows parties, dates, time limits, sums, duties and terms without a model.",
    Wanted.LIST: "At a glance lists parties, dates, time limits, sums, duties and terms without a model.",
    Wanted.COMPARISON: "Two documents can be compared side by side without a model.",
}


class Pointing(Stage):
    """Asks nobody. Where documents are named, only they are searched; where the question says neither what
    it is about nor of which document, nothing is.
    """

    name = "pointing"
    label = "Point"
    icon = "info"

    def is_due(self, work: Work) -> bool:
        asked = _asked(work)
        return (
            work.model.plans_here
            and not work.answered
            and self.name not in work.done
            and wanted(asked) is not None
            and not counted_words(asked)
        )

    async def run(self, work: Work) -> None:
        asked = _asked(work)
        kind = wanted(asked)
        assert kind is not None
        told = f"{_why(work)}, {CANNOT[kind]}."
        there = await Library(scope=work.tools.scope).documents()
        if documents := named(asked, there):
            work.tools.search_only({each.id for each in documents})
        elif kind != Wanted.LIST and not names_a_matter(asked):
            work.notice(NEEDS_MODEL, f"{told} {INSTEAD[kind]}")
            await work.show(ASK_OTHERWISE, True)
            work.answered = work.greeted = True
            work.found, work.outcome = "all", TurnStatus.ANSWERED
            return
        if kind == Wanted.SUMMARY:  # "summarised" is no word of its matter
            work.sought = " ".join(without_task(asked).split())
        work.notice(NEEDS_MODEL, f"{told} {CLOSEST} {INSTEAD[kind]}")


def _asked(work: Work) -> str:
    """As it was asked, unless a model has said it better: with the words of the question before it, one for a
    summary is hidden, and one that is none may look like it.
    """
    return work.standalone if work.rephrased else work.question


def _why(work: Work) -> str:
    if not work.model.quotes_only:
        return NOT_WHOLE
    return NOT_ANSWERING if work.has_model else NOT_CONNECTED
