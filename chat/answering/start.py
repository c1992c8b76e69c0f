"""Answers a turn with the models of its datasource: for the job and for the command alike."""

from uuid import UUID

from chat.answering.models import answer_model
from chat.answering.run import Cost, run_turn
from chat.citations.judge import judge_of
from chat.models import Budget, Turn
from datasources.models import Datasource
from jobs.threads import TURN_WRITES
from providers.protocols import ChatModel, Embedder, StructuredModel
from providers.roles import ModelRole, embedder, endpoint, over_budget, structured_model
from providers.spending.metering import Payer


async def answer_turn(turn_id: UUID) -> None:
    """Raises what `run_turn` raises."""
    model, words, judge, cost, helper = await TURN_WRITES.run(_models_for, turn_id)
    await run_turn(turn_id, model, words, judge, cost, helper)


def _models_for(
    turn_id: UUID,
) -> tuple[ChatModel, Embedder, StructuredModel | None, Cost, StructuredModel | None]:
    """Those that answer, search and judge, who pays, and the one that says what the question means."""
    turn = Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first()
    datasource = turn.conversation.datasource if turn else None
    asker = turn.conversation.user_id if turn else 0
    payer = Payer(person=asker, datasource=datasource.pk if datasource else 0)
    chosen = turn.chosen_model if turn else None
    model = answer_model(datasource, payer, chosen=chosen)
    cost = Cost(payer=payer, stopped_by=_stopped_by(datasource) if model.quotes_only else Budget.NONE)
    helper = (
        None if model.quotes_only else structured_model(datasource, ModelRole.AGENT, payer, chosen=chosen)
    )
    return model, embedder(datasource), judge_of(datasource, payer), cost, helper


def _stopped_by(datasource: Datasource | None) -> Budget:
    """The budget that keeps the language model of the datasource, where it has one, from answering."""
    return Budget.of(over_budget(datasource) if endpoint(datasource, ModelRole.AGENT) else None)
