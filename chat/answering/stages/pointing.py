"""Without a language model that reads whole documents: what that means for a summary, a list or a comparison,
and what SVQ shows instead.
"""

from chat.answering.stages.counting import counted_words
from chat.answering.stages.stage import Stage, Work
from chat.answering.whole.asking import Wanted, wanted

NEEDS_MODEL = "needs_model"  # the notice's code; pages show links with it
WHAT = {
    Wanted.SUMMARY: "A summary",
    Wanted.LIST: "A complete list",
    Wanted.COMPARISON: "A comparison in words",
}
UNREAD = (
    "{what} is written by a language model that reads whole documents, and none has read them here. What you "
    "see is from the nearest passages; not every passage was looked at."
)
INSTEAD = {
    Wanted.SUMMARY: "At a glance shows parties, dates, time limits, sums, duties and terms without a model.",
    Wanted.LIST: "At a glance lists parties, dates, time limits, sums, duties and terms without a model.",
    Wanted.COMPARISON: "Two documents can be compared side by side without a model.",
}


class Pointing(Stage):
    """Searches nothing and asks nobody."""

    name = "pointing"
    label = "Point"
    icon = "info"

    def is_due(self, work: Work) -> bool:
        return (
            work.model.plans_here
            and not work.answered
            and self.name not in work.done
            and wanted(work.standalone) is not None
            and not counted_words(work.standalone)
        )

    async def run(self, work: Work) -> None:
        asked = wanted(work.standalone)
        assert asked is not None
        work.notice(NEEDS_MODEL, f"{UNREAD.format(what=WHAT[asked])} {INSTEAD[asked]}")
