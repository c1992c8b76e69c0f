"""What people see of a page, or of a template: the text between tags, and the attributes that are read."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

READ = (
    "title",
    "aria-label",
    "data-label",
    "placeholder",
    "alt",
    "aria-description",
    "data-none",
    "data-lost",
)
NOT_READ = {"script", "style", "svg", "code", "kbd", "pre", "samp"}
# Elements within a sentence; all others end one.
INLINE = {
    "a",
    "abbr",
    "b",
    "em",
    "i",
    "mark",
    "q",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "time",
    "wbr",
    "bdi",
    "var",
}
VOID = {
    "area",
    "br",
    "col",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "use",
    "path",
    "circle",
    "rect",
    "line",
}
LETTER = re.compile(r"[^\W\d_]")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = [""]
        self.unread: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NOT_READ or self.unread:
            if tag not in VOID:
                self.unread.append(tag)
            return
        given = dict(attrs)
        self.texts[-1:-1] = [value for name, value in attrs if value and name in READ]
        if tag == "input" and given.get("type") in {"submit", "button"}:
            self.texts[-1:-1] = [given.get("value") or ""]
        if tag not in INLINE:
            self.texts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID or tag in NOT_READ or self.unread:
            return
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unread:
            while self.unread.pop() != tag:
                pass
        elif not self.unread and tag not in INLINE:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if not self.unread:
            self.texts[-1] += data


def visible(html: str) -> Iterator[str]:
    """Each sentence or label; attributes come as texts of their own."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    for text in reader.texts:
        if words := " ".join(text.split()):
            yield words


def has_letters(text: str) -> bool:
    return bool(LETTER.search(text))
