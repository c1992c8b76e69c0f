"""What a stage of answering is."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from answering.state.work import Work
from answering.values.events import Step
from providers.protocols import ProviderError


class Unusable(ProviderError):
    """What the model has answered is not shown; something else is, in its place."""


class NothingProven(Unusable):
    """All its quotes are invented."""

    code = "nothing_proven"

    def __init__(self) -> None:
        super().__init__("Nothing that the model wrote is in your documents, so it is not shown.")


class Unsearched(Unusable):
    """The model has answered from nothing, although it was told to search."""

    code = "unsearched"

    def __init__(self) -> None:
        super().__init__("The model answered without looking into the documents. SVQ searched for it.")


class Stage(ABC):
    """One part of answering. `label`, `icon` and `doing` are what the trace shows of it.

    `answering.stages.registry` has their order. A stage with a `time_limit` is optional: if it fails or takes
    longer, the answer goes on without it and says `without`.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    icon: ClassVar[str]
    doing: ClassVar[str] = ""
    switch: ClassVar[str] = ""  # the field of Settings that leaves it out
    time_limit: ClassVar[float | None] = None  # seconds
    without: ClassVar[str] = ""

    def is_on(self, work: Work) -> bool:
        return not self.switch or bool(getattr(work.asked.settings, self.switch))

    @abstractmethod
    def is_due(self, work: Work) -> bool:
        """Whether there is something to do for it, when its turn comes."""

    @abstractmethod
    async def run(self, work: Work) -> None:
        """Do it. Raises ProviderError."""

    def give_up(self, work: Work) -> None:
        """Leave what others need in its place; called when an optional stage has failed."""
        return

    def step(self, key: str, text: str, **values: Any) -> Step:
        """A line of the trace about this stage."""
        named = {"label": self.label, "icon": self.icon, "doing": self.doing}
        return Step(id=key, text=text, **{**named, **values})
