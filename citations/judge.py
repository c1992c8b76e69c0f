"""The language model in the role of the judge: the second reader of answers."""

from asgiref.sync import async_to_sync

from citations.opinion import Opinion
from citations.second_reader import read
from citations.statements import Statement
from localization.stored import said
from providers.language_models import structured_model
from providers.protocols import ProviderError, StructuredModel
from providers.roles import ModelRole
from providers.spending.metering import Payer


def judge_of(
    datasource: object | None = None, payer: Payer | None = None, *, watched: bool = False
) -> StructuredModel | None:
    """The model of the judge's role for a datasource; None where no server plays it. `watched`: the caller
    itself keeps within the month's budget.
    """
    return structured_model(datasource, ModelRole.JUDGE, payer, watched=watched)


def judge_support(statement: Statement) -> Opinion:
    """Of a single claim, for code that does not run in an event loop. Raises ProviderError, also where no
    server plays the judge and where its opinion does not count.
    """
    judge = judge_of()
    if judge is None:
        raise ProviderError(said("No model server plays the judge."))

    async def asking() -> Opinion:
        async with judge:
            reading = await read(judge, "", [statement])
        if statement.n not in reading.opinions:
            raise ProviderError(said("{model} named no words of the quote that decide it.", model=judge.name))
        return reading.opinions[statement.n]

    return async_to_sync(asking)()
