"""The program that opens web archives. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from formats.base.errors import ExtractionError, gettext_noop
from formats.embedded.pictures import Pictures
from formats.html.properties import properties_of
from formats.mail.reading import Message, content_id, content_of, message_of, parts_of, text_of
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    parts = parts_of(message_of(Path(request["path"]).read_bytes()))
    page = next((part for part in parts if part.get_content_type() == "text/html"), None)
    if page is None:
        raise ExtractionError(
            "corrupt", gettext_noop("This file is named like a web archive but has no page.")
        )
    pictures: dict[str, Message] = {}
    for part in parts:
        if part.get_content_maintype() == "image":
            names = (f"cid:{content_id(part)}", str(part.get("Content-Location") or "").strip())
            pictures |= dict.fromkeys(names, part)
    address = str(page.get("Content-Location") or "").strip()

    def picture_of(link: str) -> bytes | None:
        found = pictures.get(link) or pictures.get(link.lower()) or pictures.get(urljoin(address, link))
        return content_of(found) if found is not None else None

    root = parse_html(text_of(page))
    return answer_blocks(request, blocks_of(root, Pictures(), picture_of), properties_of(root))
