"""GET /healthz: is everything there that a question needs? Never waits long, not even for a dead database."""

import asyncio
from collections.abc import Collection, Iterable

import psycopg
from django.conf import settings
from django.core.files.storage import storages
from django.http import HttpRequest, JsonResponse
from procrastinate.contrib.django import connector_params

from providers.roles import ModelRole, of_environment
from svq_site.host import disk, language_model
from svq_site.host.static_files import CollectedStorage, is_collected
from svq_site.serving.connections import connections

PATIENCE = 0.8  # seconds
FRESH = settings.PROCRASTINATE_WORKER_DEFAULTS["stalled_worker_timeout"]
NEEDED_QUEUES = ("agent", "ingest")
UPKEEP_QUEUES = ("upkeep", "runs", "heavy")  # without these, questions are still answered
WARNINGS = ("upkeep", "disk", "language_model")  # parts without which questions are answered
OK = "ok"

WORKER_PREFIX = "svq-worker "
# A worker asks the database for jobs or sends a heartbeat every second or two; a frozen one falls silent, and
# a dead one's connections vanish at once.
LIVING_WORKERS = """
    SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND starts_with(application_name, %s)
      AND state_change > now() - make_interval(secs => %s)
"""


def worker_name(queues: Iterable[str]) -> str:
    """By this name a worker's connections are known in the database."""
    return WORKER_PREFIX + ",".join(queues)


async def healthz(request: HttpRequest) -> JsonResponse:
    """200 with {"status": "ok", ...}, or 503 where each part that is not ready says why.

    Upkeep that stands still says so, a disk that is nearly full, an installed language model that does not
    run; they leave the status as it is, because questions are answered.
    """
    parts = {
        "web": OK,
        "pages": pages_state(),
        "connections": connections.state(),
        "model": model_state(),
        "language_model": language_model.state(),
        "disk": disk.warning() or OK,
    } | await database_and_worker()
    healthy = all(state == OK for part, state in parts.items() if part not in WARNINGS)
    answer = JsonResponse(
        {"status": "ok" if healthy else "unavailable", **parts},
        status=200 if healthy else 503,
    )
    # Asked every second or so: Django must not log each 503 as an error.
    answer._has_been_logged = True  # type: ignore[attr-defined]
    return answer


async def database_and_worker() -> dict[str, str]:
    """The states of both, each "ok" or a reason."""
    try:
        async with asyncio.timeout(PATIENCE):
            queues = await living_queues()
    except (psycopg.Error, OSError, TimeoutError):
        return {"database": "does not answer"} | dict.fromkeys(
            ["worker", "upkeep"], "unknown without the database"
        )
    return {"database": OK, "worker": served(NEEDED_QUEUES, queues), "upkeep": served(UPKEEP_QUEUES, queues)}


def served(needed: Iterable[str], queues: Collection[str]) -> str:
    """ "ok", or for which of the needed queues no worker listens."""
    missing = [queue for queue in needed if queue not in queues]
    return f"none for {' and '.join(missing)}" if missing else OK


async def living_queues() -> set[str]:
    """Queues that a living worker listens to. Raises psycopg.Error."""
    async with await psycopg.AsyncConnection.connect(**connector_params(), autocommit=True) as connection:
        rows = await (await connection.execute(LIVING_WORKERS, [WORKER_PREFIX, FRESH])).fetchall()
    return {queue for (name,) in rows for queue in name.removeprefix(WORKER_PREFIX).split(",")}


def pages_state() -> str:
    """Without style sheets and scripts in STATIC_ROOT no page can be made."""
    if settings.DEBUG or not isinstance(storages["staticfiles"], CollectedStorage) or is_collected():
        return OK
    return "their files are not collected: start the server with manage.py web"


def model_state() -> str:
    """A model server's answer is for `doctor` to ask; here it is enough that one is named."""
    if of_environment(ModelRole.EMBEDDINGS) or any(settings.MODELS_DIR.glob("*.onnx")):
        return OK
    return "the local model is not prepared"
