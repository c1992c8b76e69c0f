"""Jobs that nothing in this process does: of a desk that is left out, or of another version of SVQ, which
another host runs. They wait for who does them; the log says so, once for each kind.
"""

import logging
import time
from collections.abc import Iterable

from procrastinate.connector import BaseConnector
from procrastinate.jobs import Job

from jobs.lanes import TakingTurns
from jobs.sql import statements

LOOKED_AFTER = 60  # seconds

logger = logging.getLogger(__name__)


class TellingUnknown(TakingTurns):
    """Tells what waits in its queues that it never fetches."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self._told: set[str] = set()
        self._next_look = 0.0

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        if self.tasks is not None and time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + LOOKED_AFTER
            await self._tell(queues, list(self.tasks))
        return await super().fetch_job(queues, worker_id)

    async def _tell(self, queues: Iterable[str] | None, known: list[str]) -> None:
        kinds = await self.connector.execute_query_all_async(
            query=statements["unknown_kinds"], queues=queues and list(queues), known=known
        )
        for kind in sorted({row["task_name"] for row in kinds} - self._told):
            self._told.add(kind)
            logger.warning(
                "Jobs of the kind %s wait: nothing in this version of SVQ does them, or their desk is left"
                " out (SVQ_LEAVE_OUT). They are kept.",
                kind,
            )
