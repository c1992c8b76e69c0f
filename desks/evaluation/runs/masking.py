"""Personal data in the results of runs and what was made of answers, where the datasource's owner wants it
masked.
"""

from answering.values.personal_data import PersonalData
from datasources.masking import mask_row, mask_rows
from desks.evaluation.models import PaidReply, PaidWriting, Question, Result
from desks.evaluation.questions.rated import HELPFUL
from desks.evaluation.runs.frozen import answer_settings

SAID = ("answer", "citations", "judged", "trace", "error")


def mask_results(datasource_id: int) -> None:
    """In those that were written before it was wanted, and in answers that became expected ones."""
    mask_rows(Result.objects.filter(run__datasource=datasource_id), *SAID)
    of_answers = Question.objects.filter(question_set__datasource=datasource_id, template=HELPFUL)
    mask_rows(of_answers, "reference")
    PaidReply.objects.filter(run__datasource=datasource_id).delete()
    PaidWriting.objects.filter(question_set__datasource=datasource_id).delete()


def mask_result(result: Result) -> None:
    """In one that is about to be written: by the settings of its run, or as its owner wants it only since."""
    if answer_settings(result.run).personal_data == PersonalData.MASK:
        mask_row(result, *SAID)
