"""Personal data in what SVQ says of documents without being asked: by the same policy as in answers."""

from collections.abc import Collection

from chat.models import AnswerSettings, PersonalData
from datasources.models import Datasource, Introduction
from text.personal_data import find, mask


def masked(datasource_ids: Collection[int]) -> set[int]:
    """Those of the datasources whose policy is to mask (settings.MASKED)."""
    chosen = AnswerSettings.objects.filter(datasource__in=datasource_ids, personal_data=PersonalData.MASK)
    return set(chosen.values_list("datasource_id", flat=True))


def may_be_asked(datasource: Datasource, question: str) -> bool:
    """Whether a question that SVQ has made may be shown: one with a hole in it would be of no use."""
    return not find(question) or not masked([datasource.pk])


def mask_introduction(datasource: Datasource) -> None:
    """In what was made before the policy was."""
    made = Introduction.objects.select_for_update().filter(datasource=datasource).first()
    if made:
        made.description = mask(made.description)
        made.questions = [each for each in made.questions if not find(each["question"])]
        made.save()
