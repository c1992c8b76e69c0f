"""The program that opens mailboxes. Run in the sandbox, never imported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.mail.attachments import attached
from formats.mail.mailbox import mailbox_blocks, messages_of
from formats.rendition.typesetting import Frame, answer_blocks

STARTS_THREADS = True  # Typst does


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The frames of what the request asks to `do`."""
    path = Path(request["path"])
    if request["do"] == "attachments":
        return attached(messages_of(path), most=request["most"], largest=request["largest"])
    return answer_blocks(request, mailbox_blocks(path))
