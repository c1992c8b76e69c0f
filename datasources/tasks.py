"""Upkeep of datasources: invitations by a link whose time is over."""

from procrastinate.contrib.django import app

from datasources.models import JoinLink


@app.periodic(cron="31 3 * * *")
@app.task(queue="upkeep", queueing_lock="forget_join_links")
def forget_join_links(timestamp: int) -> None:
    JoinLink.objects.forget()
