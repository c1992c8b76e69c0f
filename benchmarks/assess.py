"""Figures of an assessment: 500 requirements against 50 documents, with a model by rule in a model's place.

    python -m benchmarks assess

The documents are made: each has clauses about things of its own, some of which a requirement asks for. Works
in a data folder of its own.
"""

import asyncio
import json
import resource
import time
from io import BytesIO
from typing import TYPE_CHECKING, Any

from benchmarks import throwaway

if TYPE_CHECKING:
    from datasources.models import Datasource
    from desks.compliance.models import Check, Framework, Subject

REQUIREMENTS, DOCUMENTS, CLAUSES = 500, 50, 20
DUTIES = (
    "keeps a register of",
    "tests every year",
    "reports without delay on",
    "encrypts the copies of",
    "names an owner for",
)
THINGS = (
    "backups",
    "subcontractors",
    "incidents",
    "access rights",
    "data centres",
    "exit plans",
    "changes",
    "keys",
    "logs",
    "training",
)


def run() -> dict[str, Any]:
    """Calls, seconds and memory of a check, and of the same with nothing changed."""
    return throwaway.figures_of("benchmarks.assess")


def main() -> None:
    throwaway.set_up()
    from django.conf import settings

    from tests.compliance.world import assessor
    from tests.openai_server import ScriptedOpenAI

    datasource, framework, subject = prepared()
    figures: dict[str, Any] = {
        "requirements": framework.requirements.assessable().count(),
        "documents": datasource.documents.ready().count(),
    }
    with ScriptedOpenAI(assessor) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        figures["first check"] = measured(framework, subject)
        asked = len(server.requests)
        figures["nothing changed"] = measured(framework, subject)
        figures["calls of the model in all"] = len(server.requests)
        assert len(server.requests) == asked
    figures["peak_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(json.dumps(figures, indent=2))


def prepared() -> "tuple[Datasource, Framework, Subject]":
    from accounts.models import User
    from datasources.services import create_datasource
    from desks.compliance.checks.subjects import create_subject
    from desks.compliance.frameworks.importing import read_file
    from desks.compliance.frameworks.services import attach, store
    from ingestion.adding.upload import accept_upload
    from tests.conftest import run_jobs

    person = User.objects.create_superuser(email="bench@example.org", password="bench")
    datasource = create_datasource(person, "Vendors")
    for number in range(DOCUMENTS):
        text = "\n\n".join(_clause(number * CLAUSES + place) for place in range(CLAUSES))
        accept_upload(datasource, person, f"Contract {number}.txt", BytesIO(text.encode()), counted=False)
    run_jobs()
    rows = ["ref,title,text,domain,assessable"]
    for number in range(REQUIREMENTS):
        rows.append(f"{number + 1},,{_clause(number * 2)},Duties,yes")
    framework = store(person, read_file("duties.csv", BytesIO("\n".join(rows).encode())), "Duties")
    attach(framework, datasource, person)
    return datasource, framework, create_subject(datasource, "Everybody", has_all=True)


def _clause(number: int) -> str:
    duty, thing = DUTIES[number % len(DUTIES)], THINGS[number // len(DUTIES) % len(THINGS)]
    return f"The supplier {duty} {thing} of the system number {number} and of all its parts."


def measured(framework: "Framework", subject: "Subject") -> dict[str, Any]:
    from desks.compliance.checks.run import carry_on
    from desks.compliance.checks.services import start_check

    check: Check = start_check(framework.owner, framework, subject, queued=False)
    begun = time.monotonic()
    asyncio.run(carry_on(check.pk))
    seconds = time.monotonic() - begun
    check.refresh_from_db()
    return {
        "status": check.status,
        "seconds": round(seconds, 1),
        "calls": check.calls,
        "unchanged": check.unchanged,
        **check.counts,
    }


if __name__ == "__main__":
    main()
