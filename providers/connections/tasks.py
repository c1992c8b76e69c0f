"""Upkeep of connections: how fast servers are asked that were busy once."""

from procrastinate.contrib.django import app

from providers.connections.sql import query


@app.periodic(cron="13 * * * *")
@app.task(queue="upkeep", queueing_lock="forget_server_paces")
def forget_server_paces(timestamp: int) -> None:
    query("forget")
