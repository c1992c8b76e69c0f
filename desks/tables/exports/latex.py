"""A table in LaTeX: a longtable with its sources numbered below."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from localization.lists import in_quotes

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "#": r"\#",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_SPECIAL = re.compile("|".join(map(re.escape, SPECIAL)))

CellText = str | tuple[str, int | None]


def escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: SPECIAL[found[0]], text)


def _begun(text: str) -> str:
    """Escaped, at the start of a row: a star or bracket there would belong to the end of the row before."""
    return f"{{}}{escaped(text)}" if text.startswith(("*", "[")) else escaped(text)


def latex(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[CellText]],
    sources: Sequence[tuple[int, str, str, str, str]],
) -> str:
    """rows: texts, or texts with the number of their source.

    sources: number, document, pages, quote, verdict. Needs the packages longtable, booktabs and array.
    """
    width = f"{0.94 / len(heads):.3f}"
    columns = " ".join([rf">{{\raggedright\arraybackslash}}p{{{width}\textwidth}}"] * len(heads))
    lines = [
        "% Needs \\usepackage{longtable,booktabs,array}",
        rf"\begin{{longtable}}{{{columns}}}",
        rf"\caption{{{escaped(caption)}}} \\",
        r"\toprule",
        " & ".join(rf"\textbf{{{escaped(head)}}}" for head in heads) + r" \\",
        r"\midrule \endhead",
        *(" & ".join(map(_cell, row)) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{longtable}",
        "",
    ]
    if sources:
        lines += [
            r"\begin{enumerate}",
            *(
                rf"\item[{number}] {_source(title, pages, quote, verdict)}"
                for number, title, pages, quote, verdict in sources
            ),
            r"\end{enumerate}",
            "",
        ]
    return "\n".join(lines)


def _source(title: str, pages: str, quote: str, verdict: str) -> str:
    told = _("{title}, page {pages}: {quote} ({remark})")
    return escaped(told.format(title=title, pages=pages, quote=in_quotes(quote), remark=verdict))


def _cell(cell: CellText) -> str:
    text, number = (cell, None) if isinstance(cell, str) else cell
    return _begun(text) + (rf"~[{number}]" if number else "")
