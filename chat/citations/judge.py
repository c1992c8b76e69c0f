"""The language model in the role of the judge: the second reader of answers."""

from asgiref.sync import async_to_sync

from chat.citations.opinion import Opinion
from chat.citations.second_reader import read
from chat.citations.statements import Statement
from chat.models import Support
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


def judge_support(
    claim: str, quote: str, context: str = "", datasource: object | None = None
) -> Opinion | None:
    """Of a single claim, for code that does not run in an event loop. context: what is around the quote.
    None where no server plays the judge. Raises ProviderError, also where its opinion does not count.
    """
    judge = judge_of(datasource)
    if judge is None:
        return None

    async def asking() -> Opinion:
        statement = Statement(n=1, claim=claim, quote=quote, sentence=context)
        async with judge:
            reading = await read(judge, "", [statement])
        if 1 not in reading.opinions:
            raise ProviderError(f"{judge.name} named no words of the quote that decide it.")
        return reading.opinions[1]

    return async_to_sync(asking)()


def settled(support: str, reason: str, opinion: Opinion) -> tuple[str, str]:
    """The verdict on a single claim from both opinions, and why it is not supported: here the judge can only
    withdraw a green verdict.
    """
    if support == Support.SUPPORTED and opinion.doubt:
        return Support.NEEDS_EYE, opinion.doubt
    return support, reason
