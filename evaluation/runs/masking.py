"""Personal data in the results of runs and what was made of answers, where the datasource's owner wants it
masked.
"""

from datasources.masking import mask_row, mask_rows, masked
from evaluation.models import PaidReply, Question, Result
from evaluation.questions.rated import HELPFUL

SAID = ("answer", "citations", "judged", "trace", "error")


def mask_results(datasource_id: int) -> None:
    """In those that were written before it was wanted, and in answers that became expected ones."""
    mask_rows(Result.objects.filter(run__datasource=datasource_id), *SAID)
    of_answers = Question.objects.filter(question_set__datasource=datasource_id, template=HELPFUL)
    mask_rows(of_answers, "reference")
    PaidReply.objects.filter(run__datasource=datasource_id).delete()


def mask_result(result: Result) -> None:
    """In one that is about to be written; its owner may want it only since the question was asked."""
    if masked([result.run.datasource_id]):
        mask_row(result, *SAID)
