"""The words in which a claim and its quote differ, marked in both."""

import re
from collections.abc import Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from chat.models import Citation
from citations.choices import Support

QUOTED = re.compile(r"“([^”]+)”")
MOST = 12  # phrases of one citation


def differing(citation: Citation) -> list[str]:
    """Phrases that the check and the second reader name as different; none where the claim is confirmed."""
    if citation.support in (Support.SUPPORTED, Support.NONE):
        return []
    told = [citation.reason, *(check["detail"] for check in citation.checks if not check["passed"])]
    found = [phrase.strip(" .,;:…") for text in told for phrase in QUOTED.findall(text)]
    if citation.judge.get("verdict") == "contradicts":
        found.append(citation.judge.get("words", ""))
    return [phrase for phrase in dict.fromkeys(found) if phrase][:MOST]


def marked(text: str, phrases: Sequence[str]) -> SafeString:
    """The text, escaped, with each of the phrases in it marked as whole words."""
    spans = sorted(
        (found.span() for phrase in phrases if (found := _whole(phrase).search(text))),
        key=lambda span: (span[0], -span[1]),
    )
    html, end = "", 0
    for start, stop in spans:
        if start >= end and not (start == 0 and stop == len(text)):
            html += f'{escape(text[end:start])}<span class="df">{escape(text[start:stop])}</span>'
            end = stop
    return mark_safe(html + escape(text[end:]))  # each part is escaped above


def _whole(phrase: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, phrase.split()))
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
