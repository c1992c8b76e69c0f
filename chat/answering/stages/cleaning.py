"""Reports what was removed from the answer while it was being written."""

from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted
from chat.masking import NOTICE
from chat.models import PersonalData
from text.personal.personal_data import counted


class Cleaning(Stage):
    """Links, pictures and HTML are always removed; personal data according to the datasource's policy."""

    name = "cleaning"
    label = "Clean"
    icon = "eye-off"

    def is_due(self, work: Work) -> bool:
        something = work.cleaner.removed or work.cleaner.data
        return work.is_new and bool(something) and self.name not in work.done

    async def run(self, work: Work) -> None:
        cleaner = work.cleaner
        told = [_removed(cleaner.removed)] if cleaner.removed else []
        if cleaner.data:
            done = "masked" if cleaner.policy == PersonalData.MASK else "shown"
            told += [f"{counted(kind, len(values))} {done}" for kind, values in cleaner.data.items()]
            work.notice(NOTICE, cleaner.told)
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, ", ".join(told), state="")))


def _removed(count: int) -> str:
    what = "1 link, picture or HTML element" if count == 1 else f"{count} links, pictures or HTML elements"
    return f"{what} removed"
