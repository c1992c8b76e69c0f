"""Accessibility rules run on a page in the browser, by the locked axe-core."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

(SCRIPT,) = (Path(__file__).parent / "vendor" / "axe-core").glob("*/axe.min.js")
# WCAG 2.0 to 2.2, levels A and AA.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


CONTRAST = "color-contrast"


def violations(
    page: Page, rules: list[str] | None = None, *, without: tuple[str, ...] = (), within: str = "html"
) -> list[str]:
    """What breaks one of the rules, else of all but those `without`, `within` the selector: the rule, the
    element, what to do.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text())
    chosen = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    left_out = {rule: {"enabled": False} for rule in without}
    options = {"runOnly": chosen, "rules": left_out, "resultTypes": ["violations"]}
    found: dict[str, Any] = page.evaluate(
        "([within, options]) => axe.run(within, options)", [within, options]
    )
    return [
        f"{rule['id']} at {node['target'][0]}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
