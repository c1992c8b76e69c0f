"""The program that opens messages. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.embedded.recognition import OLE
from formats.mail.attachments import attached
from formats.mail.outlook import message_of_outlook
from formats.mail.properties import properties_of
from formats.mail.reading import blocks_of, message_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    content = Path(request["path"]).read_bytes()
    message = message_of_outlook(content) if content.startswith(OLE) else message_of(content)
    if request["do"] == "attachments":
        return attached([message], most=request["most"], largest=request["largest"])
    return answer_blocks(request, blocks_of(message), properties_of(message))
