"""Upkeep of accounts: counts of attempts whose time is over."""

from procrastinate.contrib.django import app

from accounts.sql import query


@app.periodic(cron="*/10 * * * *")
@app.task(queue="upkeep", queueing_lock="forget_attempts")
def forget_attempts(timestamp: int) -> None:
    query("forget")
