"""How the sample documents look: fonts, sizes and colours, one Look per kind of document."""

from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.styles import ParagraphStyle

INK = HexColor("#1d2126")
FAINT = HexColor("#6a717a")
RULE = HexColor("#c3c8ce")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Sizes are in points. The fonts are PDF's standard ones, so nothing has to be embedded."""

    serif: bool
    size: float
    leading: float
    accent: Color
    banner: bool = False
    justified: bool = True

    @property
    def family(self) -> str:
        return "Times-Roman" if self.serif else "Helvetica"

    @property
    def bold(self) -> str:
        return "Times-Bold" if self.serif else "Helvetica-Bold"

    @property
    def italic(self) -> str:
        return "Times-Italic" if self.serif else "Helvetica-Oblique"


LOOKS = {
    "contract": Look(serif=True, size=10.5, leading=13.8, accent=INK),
    "report": Look(
        serif=False, size=10, leading=14.4, accent=HexColor("#0f5c63"), banner=True, justified=False
    ),
    "notes": Look(serif=True, size=11.4, leading=15.4, accent=HexColor("#7a2e1d")),
    "form": Look(serif=False, size=9.4, leading=12.6, accent=HexColor("#2f4a7d"), justified=False),
}


def paragraph_styles(look: Look) -> dict[str, ParagraphStyle]:
    """The paragraph styles of a look, by the name of the thing they set."""
    body = ParagraphStyle(
        "body",
        fontName=look.family,
        fontSize=look.size,
        leading=look.leading,
        textColor=INK,
        alignment=TA_JUSTIFY if look.justified else TA_LEFT,
        spaceAfter=look.leading * 0.45,
        allowWidows=0,
        allowOrphans=0,
    )
    heading_font = "Helvetica-Bold" if not look.serif or look.accent is not INK else look.bold
    small = look.size - 1.1

    def derive(name: str, **changes: object) -> ParagraphStyle:
        return ParagraphStyle(name, parent=body, **changes)

    def heading(name: str, size: float, before: float, colour: Color) -> ParagraphStyle:
        return derive(
            name,
            fontName=heading_font,
            fontSize=size,
            leading=size * 1.25,
            alignment=TA_LEFT,
            textColor=colour,
            spaceBefore=before,
            spaceAfter=look.leading * 0.4,
            keepWithNext=1,
        )

    title = heading("title", 23, 0, white if look.banner else look.accent)
    cell = derive("cell", fontSize=small, leading=small * 1.28, alignment=TA_LEFT, spaceAfter=0)
    return {
        "body": body,
        "title": title,
        "subtitle": derive(
            "subtitle",
            fontSize=look.size + 1.2,
            leading=look.leading + 2,
            alignment=TA_LEFT,
            textColor=white if look.banner else FAINT,
        ),
        "h1": heading("h1", look.size + 4.5, look.leading, look.accent),
        "h2": heading("h2", look.size + 1.2, look.leading * 0.8, look.accent),
        "h3": heading("h3", look.size, look.leading * 0.5, INK),
        "clause": derive(
            "clause", leftIndent=32, bulletIndent=0, bulletFontName=look.family, bulletFontSize=look.size
        ),
        "subclause": derive(
            "subclause", leftIndent=56, bulletIndent=32, bulletFontName=look.family, bulletFontSize=look.size
        ),
        "bullet": derive(
            "bullet", leftIndent=16, bulletIndent=4, bulletFontName=look.family, bulletFontSize=look.size
        ),
        "caption": derive(
            "caption", fontName=look.bold, fontSize=small, alignment=TA_LEFT, keepWithNext=1, spaceBefore=4
        ),
        "cell": cell,
        "head": ParagraphStyle("head", parent=cell, fontName=look.bold, textColor=look.accent),
        "formula": derive(
            "formula", fontName=look.italic, alignment=TA_CENTER, spaceBefore=2, spaceAfter=look.leading * 0.7
        ),
        "listing": derive(
            "listing",
            fontName="Courier",
            fontSize=look.size - 1.6,
            leading=look.leading - 2,
            alignment=TA_LEFT,
            leftIndent=18,
            spaceBefore=2,
        ),
    }
