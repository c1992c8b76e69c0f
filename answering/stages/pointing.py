"""Without a language model that reads whole documents: what that means for a summary, a list or a comparison,
and what SVQ shows instead.
"""

from django.utils.translation import gettext_noop

from answering.question.own_words import ASK_OTHERWISE
from answering.stages.counting import counted_words
from answering.stages.stage import Stage
from answering.state.work import Work, Written
from answering.values.outcome import Outcome
from answering.whole.asking import Wanted, named, names_a_matter, wanted, without_task
from answering.whole.library import Library

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
    label = gettext_noop("Point")
    icon = "info"

    def is_due(self, work: Work) -> bool:
        asked = _asked(work)
        return (
            work.means.model.plans_here
            and work.written is None
            and wanted(asked) is not None
            and not counted_words(asked)
        )

    async def run(self, work: Work) -> None:
        asked = _asked(work)
        kind = wanted(asked)
        assert kind is not None
        told = f"{_why(work)}, {CANNOT[kind]}."
        there = await Library(scope=work.means.tools.scope).documents()
        if documents := named(asked, there):
            work.means.tools.search_only({each.id for each in documents})
        elif kind != Wanted.LIST and not names_a_matter(asked):
            work.notice(NEEDS_MODEL, f"{told} {INSTEAD[kind]}")
            await work.means.show(ASK_OTHERWISE, True)
            work.written, work.outcome = Written(found="all", greeted=True), Outcome.ANSWERED
            return
        # "Summarised" is no word of its matter.
        work.sought = " ".join(without_task(asked).split()) if kind == Wanted.SUMMARY else ""
        work.notice(NEEDS_MODEL, f"{told} {CLOSEST} {INSTEAD[kind]}")


def _asked(work: Work) -> str:
    """As it was asked, unless a model has said it better: with the words of the question before it, one for a
    summary is hidden, and one that is none may look like it.
    """
    return work.question if work.rephrased.by_model else work.asked.question


def _why(work: Work) -> str:
    if not work.means.model.quotes_only:
        return NOT_WHOLE
    return NOT_ANSWERING if work.asked.has_model else NOT_CONNECTED
