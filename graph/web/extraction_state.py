"""How far the reading for the graph is, as pages show it."""

from typing import Any

from datasources.models import Datasource
from graph.extraction.llm.budget import price
from graph.extraction.status import estimate, extraction_status, failed_chunks, report
from graph.models import GraphSettings
from graph.web.extraction_forms import BudgetForm
from providers.protocols import Usage

SHOWN = 50  # failed chunks; the others are counted


def state_of(datasource: Datasource) -> dict[str, Any]:
    """What templates show of the moment."""
    now, chosen = extraction_status(datasource), GraphSettings.objects.of(datasource)
    return {
        "datasource": datasource,
        "graph_settings": chosen,
        "reading": now,
        "errors": report(datasource).errors if now.failed else (),
        "failures": failed_chunks(datasource)[:SHOWN] if now.failed else (),
        "more_failures": max(0, now.failed - SHOWN),
        "estimate": estimate(datasource) if now.model and not now.is_reading else None,
        "prices_known": price(Usage(), datasource) is not None,
        "budget_form": BudgetForm(initial=BudgetForm.values(chosen), auto_id="raise_%s"),
    }
