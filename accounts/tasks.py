"""Upkeep of accounts: counts of attempts and invitations whose time is over, the seals and the end of the
audit log.
"""

from django.conf import settings
from procrastinate.contrib.django import app

from accounts import audit_seals as seals
from accounts.models import AccountInvitation
from accounts.sql import query


@app.periodic(cron="*/10 * * * *")
@app.task(queue="upkeep", queueing_lock="forget_attempts")
def forget_attempts(timestamp: int) -> None:
    query("forget")


@app.periodic(cron="* * * * *")
@app.task(queue="upkeep", queueing_lock="seal_audit_log")
def seal_audit_log(timestamp: int) -> None:
    seals.seal()


@app.periodic(cron="17 3 * * *")
@app.task(queue="upkeep", queueing_lock="forget_audit_entries")
def forget_audit_entries(timestamp: int) -> None:
    seals.forget(settings.AUDIT_DAYS)


@app.periodic(cron="29 3 * * *")
@app.task(queue="upkeep", queueing_lock="forget_account_invitations")
def forget_account_invitations(timestamp: int) -> None:
    AccountInvitation.objects.forget()
