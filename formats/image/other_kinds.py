"""Pictures of kinds that are not read, known by how they begin whatever they are named. Pure."""

import re

_SVG = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*+(<!DOCTYPE\s+svg[^>]*>\s*)?<svg\b", re.IGNORECASE | re.DOTALL
)
_MAGIC = {
    b"8BPS": "a Photoshop",
    b"\0\0\x01\0": "an icon",
    b"\0\0\0\x0cjP  ": "a JPEG 2000",
}
_BRANDS = {b"avif": "an AVIF", b"avis": "an AVIF"}


def other_kind(start: bytes) -> str:
    """What the file is, as in "a GIF"; "" for none of these."""
    if is_svg(start):
        return "an SVG"
    if start[4:8] == b"ftyp":
        return _BRANDS.get(start[8:12], "")
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), "")


def is_svg(start: bytes) -> bool:
    return bool(_SVG.match(start.removeprefix(b"\xef\xbb\xbf")))
