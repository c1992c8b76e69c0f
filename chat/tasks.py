"""The job of answering: retried when the worker dies or the model server is busy, stopped when asked to."""

import asyncio
from uuid import UUID

from django.db import InterfaceError, OperationalError
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import JobAborted
from procrastinate.job_context import AbortReason

from chat.answering.models import answer_model
from chat.answering.run import run_turn
from jobs.retry import Backoff, Transient
from providers.protocols import ProviderError
from providers.roles import embedder


def defer_answer(turn_id: UUID) -> int:
    """Queue the answering of a turn; returns the job's id. Joins the caller's transaction."""
    return answer.configure(lock=f"turn:{turn_id}").defer(turn_id=str(turn_id))


@app.task(queue="agent", pass_context=True, retry=Backoff())
async def answer(context: JobContext, turn_id: str) -> None:
    try:
        await run_turn(UUID(turn_id), answer_model(), embedder())
    except ProviderError as error:
        raise Transient(error.message) from error
    except (OperationalError, InterfaceError) as error:
        raise Transient(str(error)) from error
    except asyncio.CancelledError:
        if context.abort_reason() is AbortReason.SHUTDOWN:
            raise JobAborted from None
        # Stopped by a person: `services.stop` has written the end already.
