"""Build static/icons.svg, one <symbol> per vendored Lucide icon, in the order of their names."""

import re
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "static"
SPRITE = STATIC / "icons.svg"


def symbol(icon: Path) -> str:
    """Return one icon as a <symbol>: only its shapes, because colour and stroke come from the .i class."""
    shapes = re.search(r"<svg[^>]*>(.*)</svg>", icon.read_text(), re.DOTALL)
    if shapes is None:
        raise ValueError(f"{icon} is not an SVG file.")
    body = re.sub(r">\s+<", "><", shapes[1].strip()).replace(" />", "/>")
    return f'<symbol id="{icon.stem}" viewBox="0 0 24 24">{body}</symbol>'


def sprite() -> str:
    """Return the whole sprite."""
    (folder,) = STATIC.glob("vendor/lucide-static/*/icons")
    symbols = "\n".join(symbol(icon) for icon in sorted(folder.glob("*.svg")))
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


if __name__ == "__main__":
    SPRITE.write_text(sprite())
