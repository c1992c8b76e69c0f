"""Turns a sample's Markdown into reportlab flowables: clauses, tables, columns, formulas, a bar chart."""

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BalancedColumns,
    Flowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    Preformatted,
    Spacer,
    Table,
    TableStyle,
)

from samples.styles import FAINT, RULE, Look, paragraph_styles

CLAUSE = re.compile(r"^(\d+(?:\.\d+)+)\s+")
SUBCLAUSE = re.compile(r"^(\([a-z]\))\s+")
DIRECTIVE = re.compile(r"<!--\s*([a-z ]+?)\s*(?::\s*(.*?)\s*)?-->", re.DOTALL)
INLINE_TAGS = {"strong_open": "<b>", "strong_close": "</b>", "em_open": "<i>", "em_close": "</i>"}


def inline_markup(token: Token) -> str:
    """Markdown's inline tokens as the small XML that reportlab's Paragraph reads."""
    parts = []
    for child in token.children or []:
        if child.type == "softbreak":
            parts.append(" ")
        else:
            parts.append(INLINE_TAGS.get(child.type) or escape(child.content))
    return "".join(parts)


class Typesetter:
    """One pass over a document's Markdown tokens. `width` is the text width in points."""

    def __init__(self, look: Look, width: float) -> None:
        self.look = look
        self.width = width
        self.styles = paragraph_styles(look)
        self.widths: list[float] = []

    def flowables(self, markdown: str) -> list[Flowable]:
        tokens = iter(MarkdownIt("commonmark").enable("table").parse(markdown))
        return self._until(tokens, stop="")

    def _until(self, tokens: Iterator[Token], stop: str) -> list[Flowable]:
        story: list[Flowable] = []
        for token in tokens:
            if token.type == "html_block":
                match = DIRECTIVE.match(token.content)
                if match is None:
                    raise ValueError(f"Unknown directive: {token.content.strip()}")
                if match[1] == stop:
                    return story
                story.extend(self._directive(match[1], match[2] or "", tokens))
            elif token.type == "heading_open":
                story.append(Paragraph(inline_markup(next(tokens)), self.styles["h" + token.tag[1]]))
            elif token.type == "bullet_list_open":
                story.extend(self._bullets(tokens))
            elif token.type == "table_open":
                story.append(self._table(tokens))
            elif token.type == "fence":
                story.extend(self._fence(token))
            elif token.type == "inline":
                story.append(self._paragraph(inline_markup(token)))
        return story

    def _directive(self, name: str, argument: str, tokens: Iterator[Token]) -> list[Flowable]:
        if name == "page":
            return [PageBreak()]
        if name == "widths":
            self.widths = [float(share) for share in argument.split()]
            return []
        if name == "bars":
            return [self._bars(argument), Spacer(1, 6)]
        if name == "keep":
            return [KeepTogether(self._until(tokens, stop="end keep"))]
        if name == "columns":
            full, self.width = self.width, (self.width - 20) / 2
            column = self._until(tokens, stop="end columns")
            self.width = full
            return [BalancedColumns(column, nCols=2, innerPadding=20, needed=120)]
        raise ValueError(f"Unknown directive: {name}")

    def _paragraph(self, markup: str) -> Paragraph:
        for pattern, style in ((CLAUSE, "clause"), (SUBCLAUSE, "subclause")):
            if match := pattern.match(markup):
                return Paragraph(markup[match.end() :], self.styles[style], bulletText=match[1])
        style = "caption" if markup.startswith(("<b>Table ", "<b>Figure ")) else "body"
        return Paragraph(markup, self.styles[style])

    def _bullets(self, tokens: Iterator[Token]) -> list[Flowable]:
        items: list[Flowable] = []
        for token in tokens:
            if token.type == "bullet_list_close":
                break
            if token.type == "inline":
                items.append(Paragraph(inline_markup(token), self.styles["bullet"], bulletText="\u2022"))
        return items

    def _table(self, tokens: Iterator[Token]) -> Table:
        rows: list[list[Paragraph]] = []
        style = self.styles["cell"]
        for token in tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                style = self.styles["head" if token.tag == "th" else "cell"]
                if "right" in str(token.attrGet("style") or ""):
                    style = ParagraphStyle(style.name + "-right", parent=style, alignment=TA_RIGHT)
            elif token.type == "inline":
                rows[-1].append(Paragraph(inline_markup(token), style))
        shares, self.widths = self.widths or [1.0] * len(rows[0]), []
        widths = [self.width * share / sum(shares) for share in shares]
        table = Table(rows, colWidths=widths, repeatRows=1, spaceAfter=self.look.leading)
        table.setStyle(
            TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("LINEABOVE", (0, 0), (-1, 0), 0.9, self.look.accent),
                    ("LINEBELOW", (0, 0), (-1, 0), 0.6, self.look.accent),
                    ("LINEBELOW", (0, 1), (-1, -2), 0.3, RULE),
                    ("LINEBELOW", (0, -1), (-1, -1), 0.9, self.look.accent),
                    ("TOPPADDING", (0, 0), (-1, -1), 3.2),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.8),
                    ("LEFTPADDING", (0, 0), (-1, -1), 4),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 6),
                ]
            )
        )
        return table

    def _fence(self, token: Token) -> list[Flowable]:
        text = token.content.rstrip("\n")
        if token.info == "formula":
            return [Paragraph(escape(line), self.styles["formula"]) for line in text.splitlines()]
        return [Preformatted(text, self.styles["listing"])]

    def _bars(self, argument: str) -> Drawing:
        """A bar chart from "2023 41.8; 2024 47.3": a label and a number for each bar."""
        bars = [entry.split() for entry in argument.split(";")]
        tallest = max(float(value) for _, value in bars)
        height, bar_width, step = 146.0, 46.0, 92.0
        drawing = Drawing(self.width, height + 16)
        drawing.add(Line(0, 16, step * len(bars), 16, strokeColor=RULE, strokeWidth=0.6))
        for position, (label, value) in enumerate(bars):
            left, tall = position * step + (step - bar_width) / 2, (height - 18) * float(value) / tallest
            middle = left + bar_width / 2
            drawing.add(Rect(left, 16, bar_width, tall, fillColor=self.look.accent, strokeColor=None))
            for text, y in ((value, tall + 20), (label, 4)):
                drawing.add(
                    String(
                        middle,
                        y,
                        text,
                        fontName=self.look.family,
                        fontSize=8.5,
                        textAnchor="middle",
                        fillColor=FAINT,
                    )
                )
        return drawing
