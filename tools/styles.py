"""Lays out the style sheets: `python -m tools.styles`. `make lint` checks that with --check."""

import sys
from pathlib import Path

import cssbeautifier  # comes with djlint

ROOT = Path(__file__).resolve().parent.parent


def style_sheets() -> list[Path]:
    """Those that are written here."""
    return [*sorted((ROOT / "static" / "css").glob("*.css")), ROOT / "exchange" / "packs" / "page.css"]


def laid_out(text: str) -> str:
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.end_with_newline = True
    options.newline_between_rules = False
    options.selector_separator_newline = False
    options.space_around_combinator = True
    return str(cssbeautifier.beautify(text, options))


def main(arguments: list[str]) -> int:
    """With --check nothing is written; 1 where a sheet is laid out in another way."""
    other = [path for path in style_sheets() if laid_out(path.read_text()) != path.read_text()]
    for path in other:
        print(path.relative_to(ROOT), "is to be laid out" if "--check" in arguments else "is laid out")
        if "--check" not in arguments:
            path.write_text(laid_out(path.read_text()))
    return int(bool(other) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
