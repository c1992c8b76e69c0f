"""The stages of an answer in their order; each runs if it is due. A new one is a file and a line here."""

from dataclasses import dataclass

from answering.stages.answering import Answering
from answering.stages.checking import Checking
from answering.stages.classifying import Classifying
from answering.stages.cleaning import Cleaning
from answering.stages.compressing import Compressing
from answering.stages.correcting import Correcting
from answering.stages.counting import Counting, Sampling
from answering.stages.differing import Differing
from answering.stages.greeting import Greeting
from answering.stages.instructing import Instructing
from answering.stages.judging import Judging
from answering.stages.listing import Listing
from answering.stages.planning import Planning
from answering.stages.pointing import Pointing
from answering.stages.proving import Proving
from answering.stages.ranking import Ranking
from answering.stages.reading import Reading
from answering.stages.remembering import Remembering
from answering.stages.rephrasing import Rephrasing
from answering.stages.searching import Searching
from answering.stages.stage import Stage
from answering.stages.withholding import Withholding

CHECKING = Checking()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """`first` and `last` once, one after the other; between them `each_round`, until the model answers."""

    first: tuple[Stage, ...]
    each_round: tuple[Stage, ...]
    last: tuple[Stage, ...]

    @property
    def stages(self) -> tuple[Stage, ...]:
        return (*self.first, *self.each_round, *self.last)

    def without(self, name: str) -> "Order":
        first, each_round, last = (
            tuple(stage for stage in stages if stage.name != name)
            for stages in (self.first, self.each_round, self.last)
        )
        return Order(first=first, each_round=each_round, last=last)


ORDER = Order(
    first=(
        Rephrasing(),
        Remembering(),
        Listing(),
        Classifying(),
        Greeting(),
        Counting(),
        Instructing(),
        Reading(),
        Pointing(),
    ),
    each_round=(Ranking(), Compressing(), Planning(), Searching(), Correcting()),
    last=(
        Answering(),
        Proving(),
        Differing(),
        Sampling(),
        Cleaning(),
        Judging(),
        CHECKING,
        Withholding(),
    ),
)
