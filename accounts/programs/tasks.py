"""Upkeep of programs that were let in."""

from procrastinate.contrib.django import app

from accounts.programs import tokens


@app.periodic(cron="41 3 * * *")
@app.task(queue="upkeep", queueing_lock="forget_programs")
def forget_programs(timestamp: int) -> None:
    tokens.forget()
