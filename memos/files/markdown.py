"""A memo as Markdown: its text and its sources, with links to their pages on this server."""

from django.utils.translation import gettext as _

from chat.exports import on_a_line
from chat.notebook import source_line
from citations.marks import MARK, mark, numbered
from memos.citing import marked
from memos.files.content import SOURCES, MemoContent
from text.normal_forms.verbatim import with_entities


def as_markdown(content: MemoContent) -> str:
    """Nothing in the words of the memo is active wherever it is shown."""
    sections = [f"# {on_a_line(content.title)}", f"*{on_a_line(content.taken)}*", _text(content).strip()]
    if content.sources:
        lines = [source_line({**each.source, "n": each.shown}) for each in content.sources]
        sections += [f"## {_(SOURCES)}", "\n".join(lines)]
    return "\n\n".join(filter(None, sections)) + "\n"


def _text(content: MemoContent) -> str:
    cited = content.cited

    def words(n: int) -> str:
        return mark(cited.shown[n]) if n in cited.shown else cited.words(n)

    text = MARK.sub(lambda found: words(int(found[1])), with_entities(marked(content.text)))
    return numbered(text, [each.source["quote"] for each in content.sources])
