"""Rows that know a datasource by its number: its budget and models go with it, what was spent stays."""

from collections.abc import Mapping

from datasources.derived import DerivedData, Subject
from datasources.models import Datasource
from providers.connections.models import Assignment
from providers.connections.services import forget_datasource
from providers.spending.models import MonthlyBudget


class Budgets(DerivedData):
    """And the models that its owner has chosen."""

    def purge_datasource(self, datasource: Datasource) -> None:
        MonthlyBudget.objects.filter(datasource=datasource.pk).delete()
        forget_datasource(datasource.pk)

    def count(self, subject: Subject) -> Mapping[str, int]:
        if not subject.whole:
            return {}
        number = subject.datasource_id
        return {
            "budgets": MonthlyBudget.objects.filter(datasource=number).count(),
            "chosen_models": Assignment.objects.filter(datasource=number).count(),
        }
