"""Answers a turn with the models of its datasource: for the job and for the command alike."""

from uuid import UUID

from chat.answering.models import answer_model
from chat.answering.run import run_turn
from chat.citations.judge import judge_of
from chat.models import Turn
from datasources.models import Datasource
from jobs.threads import TURN_WRITES
from providers.roles import embedder


async def answer_turn(turn_id: UUID) -> None:
    """Raises what `run_turn` raises."""
    datasource = await TURN_WRITES.run(_datasource_of, turn_id)
    await run_turn(turn_id, answer_model(datasource), embedder(datasource), judge_of(datasource))


def _datasource_of(turn_id: UUID) -> Datasource | None:
    turn = Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first()
    return turn.conversation.datasource if turn else None
