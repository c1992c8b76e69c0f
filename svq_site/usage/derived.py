"""What spending holds of a datasource: a budget, which goes with it. What was spent stays, by number."""

from collections.abc import Mapping

from datasources.derived import DerivedData, Subject
from datasources.models import Datasource
from providers.spending.models import MonthlyBudget


class Budgets(DerivedData):
    def purge_datasource(self, datasource: Datasource) -> None:
        MonthlyBudget.objects.filter(datasource=datasource.pk).delete()

    def count(self, subject: Subject) -> Mapping[str, int]:
        if not subject.whole:
            return {}
        return {"budgets": MonthlyBudget.objects.filter(datasource=subject.datasource_id).count()}
