"""Answers a turn with the models of its datasource: for the job and for the command alike."""

from uuid import UUID

from chat.answering.models import Models, models_for
from chat.answering.run import run_turn
from chat.models import Turn
from jobs.threads import TURN_WRITES


async def answer_turn(turn_id: UUID) -> None:
    """Raises what `run_turn` raises."""
    await run_turn(turn_id, await TURN_WRITES.run(_models_of, turn_id))


def _models_of(turn_id: UUID) -> Models:
    return models_for(Turn.objects.select_related("conversation__datasource").filter(pk=turn_id).first())
