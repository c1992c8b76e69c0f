"""The place of a question in the queue, which whoever asked it sees while it waits."""

import time

from chat.events import TurnWaiting, append
from chat.models import Turn, TurnStatus
from events import log
from jobs.lanes import ahead
from sql import rows

ANNOUNCED_EVERY = 3.0  # seconds: every open page shows each place again
MOST_ANNOUNCED = 200  # questions; the others learn their place once they are nearer, or by opening the page

_announced = float("-inf")  # when this process last announced the places, by the monotonic clock


def place_of(turn: Turn) -> int | None:
    """How many questions are likely to be taken up before it; None once it has been taken up."""
    if turn.status != TurnStatus.QUEUED or turn.job_id is None:
        return None
    return ahead([turn.job_id]).get(turn.job_id)


def others_wait() -> bool:
    """Whether any question waits: then nothing is done ahead of need."""
    ((waits,),) = rows(
        "SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status = 'todo' AND queue_name = ANY(%s))",
        ["agent", "quotes"],
    )
    return bool(waits)


def announce_places() -> None:
    """Announce its place to every question that waits, unless this process has just done so."""
    global _announced
    if time.monotonic() - _announced < ANNOUNCED_EVERY:
        return
    _announced = time.monotonic()
    waiting = Turn.objects.filter(status=TurnStatus.QUEUED, job_id__isnull=False)
    turns = {turn.job_id: turn for turn in waiting.only("pk", "job_id") if turn.job_id}
    nearest = sorted(ahead(turns).items(), key=lambda place: place[1])
    for job, before in nearest[:MOST_ANNOUNCED]:
        try:
            append(TurnWaiting(ahead=before), turns[job].channel)
        except log.Fenced:  # it has been taken up meanwhile
            continue
