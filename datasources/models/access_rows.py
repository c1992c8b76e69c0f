"""Rows that let somebody read a datasource: whoever writes one, by whichever page, says so in one place."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.utils.module_loading import import_string


def widened(datasources: Collection[int]) -> None:
    """More people can read these, once this transaction ends. What follows is named by the setting."""
    if datasources:
        import_string(settings.AUDIENCE_WIDENED)(datasources)


class AccessRow(models.Model):
    """Written in one transaction with all that has to follow."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **how: Any) -> None:
        with transaction.atomic(savepoint=False):
            super().save(*args, **how)
            widened(self.opened_datasources())

    def opened_datasources(self) -> Collection[int]:
        """The numbers of those that it lets somebody read."""
        raise NotImplementedError
