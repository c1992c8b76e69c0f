"""Reports what was removed from the answer while it was being written."""

from django.utils.translation import gettext_noop

from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import StageStarted
from answering.values.personal_data import NOTICE, PersonalData
from text.personal.personal_data import counted


class Cleaning(Stage):
    """Links, pictures and HTML are always removed; personal data according to the datasource's policy."""

    name = "cleaning"
    label = gettext_noop("Clean")
    icon = "eye-off"

    def is_due(self, work: Work) -> bool:
        something = work.means.cleaner.removed or work.means.cleaner.data
        return work.new_answer is not None and bool(something)

    async def run(self, work: Work) -> None:
        cleaner = work.means.cleaner
        told = [_removed(cleaner.removed)] if cleaner.removed else []
        if cleaner.data:
            done = "masked" if cleaner.policy == PersonalData.MASK else "shown"
            told += [f"{counted(kind, len(values))} {done}" for kind, values in cleaner.data.items()]
            work.notice(NOTICE, cleaner.told)
        await work.means.emit(
            StageStarted(stage=self.name, step=self.step(self.name, ", ".join(told), state=""))
        )


def _removed(count: int) -> str:
    what = "1 link, picture or HTML element" if count == 1 else f"{count} links, pictures or HTML elements"
    return f"{what} removed"
