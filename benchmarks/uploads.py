"""Twenty people's worth of small files added to one datasource at once, over REST.

python -m benchmarks uploads
"""

import asyncio
import json
import statistics
import time
from typing import Any

from benchmarks import throwaway
from benchmarks.turns import percentile

AT_ONCE, EACH = 20, 10  # uploads at the same moment, and how many follow one another
PORT = 18_426


def run() -> dict[str, Any]:
    """The web server and the driver are processes of their own; no worker reads the files meanwhile."""
    with throwaway.app(SVQ_PORT=str(PORT)) as svq, svq.web():
        return svq.figures("from benchmarks import uploads; uploads.drive()")


# --- the driver --------------------------------------------------------------------------------------------
def drive() -> None:
    from accounts.api_tokens import make_token
    from accounts.models import TokenScope, User
    from datasources.services import create_datasource

    owner = User.objects.get(email=throwaway.EMAIL)
    _, key = make_token(owner, name="uploads", scopes=list(TokenScope), datasource_ids=None, days=1)
    datasource = create_datasource(owner, "Uploads")
    alone, together = asyncio.run(measured(key, datasource.pk))
    figures = {
        "alone: seconds, p50 and p95": f"{statistics.median(alone):.3f} and {percentile(alone):.3f}",
        f"{AT_ONCE} at once: seconds, p50": round(statistics.median(together), 3),
        f"{AT_ONCE} at once: seconds, p95": round(percentile(together), 3),
        "files added": datasource.documents.count(),
    }
    print(json.dumps(figures))


async def measured(key: str, datasource: int) -> tuple[list[float], list[float]]:
    """Seconds of each upload, ascending: one after the other, then many at once."""
    import httpx

    address = f"http://127.0.0.1:{PORT}/api/v1/data-sources/{datasource}/documents"
    headers = {"Authorization": f"Bearer {key}"}
    limits = httpx.Limits(max_connections=AT_ONCE)
    transport = httpx.AsyncHTTPTransport(retries=100, limits=limits)  # the server is about to start
    async with httpx.AsyncClient(headers=headers, transport=transport, timeout=120) as client:

        async def add(name: str) -> list[float]:
            seconds = []
            for number in range(EACH):
                begun = time.monotonic()
                file = (f"{name}-{number}.txt", f"Note {number} of {name}: rent is due in May.".encode())
                (await client.post(address, files={"files": file})).raise_for_status()
                seconds.append(time.monotonic() - begun)
            return seconds

        await add("warm")
        alone = await add("alone")
        together = await asyncio.gather(*(add(f"person {person}") for person in range(AT_ONCE)))
    return sorted(alone), sorted(second for each in together for second in each)
