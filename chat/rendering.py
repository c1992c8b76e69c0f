"""An answer's Markdown as safe HTML: sanitised first, then the citation chips are set in."""

import re
from collections.abc import Mapping

import nh3
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from chat.history import MARK
from chat.models import Citation

# No links and no images: the words of a document must not lead out of the house or call a server.
TAGS = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
WORD_JOINER = "\u2060"  # keeps a chip on the line of the word before it
HEADING = re.compile(r"(</?h)([1-6])>")

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": False}).enable(["table", "strikethrough"])


def answer_html(answer: str, citations: Mapping[int, Citation]) -> SafeString:
    """The answer as HTML; a mark whose citation is not stored yet becomes a chip that is being checked."""
    html = nh3.clean(_lower_headings(_markdown.render(answer)), tags=TAGS, attributes={})
    html = re.sub(rf"\s*({MARK.pattern})", rf"{WORD_JOINER}\1", html)
    return mark_safe(MARK.sub(lambda found: _chip(int(found[1]), citations), html))


def _lower_headings(html: str) -> str:
    """The page has its own h1 and h2: an answer begins at h3."""
    return HEADING.sub(lambda found: f"{found[1]}{min(int(found[2]) + 2, 6)}>", html)


def _chip(n: int, citations: Mapping[int, Citation]) -> str:
    context = {"n": n, "citation": citations.get(n)}
    return render_to_string("chat/_chip.html", context).strip()
