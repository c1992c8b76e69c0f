"""Answers a turn with the models of its datasource: for the job and for the command alike."""

from uuid import UUID

from chat.answering.models import answer_model
from chat.answering.run import run_turn
from chat.citations.judge import judge_of
from chat.models import Turn
from jobs.threads import TURN_WRITES
from providers.protocols import ChatModel, Embedder, StructuredModel
from providers.roles import embedder


async def answer_turn(turn_id: UUID) -> None:
    """Raises what `run_turn` raises."""
    await run_turn(turn_id, *await TURN_WRITES.run(_models_for, turn_id))


def _models_for(turn_id: UUID) -> tuple[ChatModel, Embedder, StructuredModel | None]:
    turn = Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first()
    datasource = turn.conversation.datasource if turn else None
    return answer_model(datasource), embedder(datasource), judge_of(datasource)
