"""What imported checks have found: quotes are looked up, and no verdict is taken for one of this server."""

from collections.abc import Callable

from chat.citation_rows.again import NOT_THERE
from citations.choices import OnPage, Support
from desks.compliance.models import Evidence, Finding, Verdict
from exchange.bundles.proved_place import placed

NOT_JUDGED = "Another server has judged these words; here nobody has."
ELSEWHERE = "Judged on another server."


def check_findings(datasource: int, go_on: Callable[[], object]) -> None:
    """`go_on` is called for each."""
    evidence = Evidence.objects.filter(document__datasource=datasource).select_related("document")
    for row in evidence.order_by("document").iterator(200):
        _check_evidence(row)
        go_on()
    for finding in Finding.objects.filter(assessment__datasource=datasource).iterator(200):
        _check_finding(finding)
        go_on()


def _check_evidence(row: Evidence) -> None:
    row.title = row.document.title
    if placed(row, row.document) is None:
        row.boxes, row.pages, row.support, row.reason = {}, [], Support.NONE, NOT_THERE
        row.on_page = OnPage.ABSENT
    elif row.support not in ("", Support.NONE):
        row.support, row.reason = Support.NEEDS_EYE, NOT_JUDGED
    row.save(update_fields=["title", "boxes", "pages", "support", "reason", "on_page"])


def _check_finding(finding: Finding) -> None:
    """Code alone judges nothing: without a model, a verdict is nobody's."""
    if finding.model:
        finding.reason = f"{ELSEWHERE} {finding.reason.removeprefix(ELSEWHERE).strip()}".strip()[:1000]
    else:
        finding.verdict, finding.reason = Verdict.TO_JUDGE, ""
        nobodys = {"verdict": Verdict.TO_JUDGE, "statement": "", "reason": ""}
        finding.parts = [part | nobodys for part in finding.parts]
    finding.save(update_fields=["verdict", "reason", "parts"])
