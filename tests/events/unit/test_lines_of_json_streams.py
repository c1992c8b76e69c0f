"""What an event says arrives whole at programs that read a stream line by line."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from events.json_stream import JsonStream, as_json
from events.models import Event


def lines_of(event: Event, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """As httpx reads what the stream sends of it."""
    sent: list[bytes] = []

    async def keep(self: JsonStream, body: bytes, **more: Any) -> None:
        sent.append(body)

    monkeypatch.setattr(JsonStream, "send_body", keep)
    asyncio.run(JsonStream().message(event.kind, as_json(event), "turn%3A1:1"))
    return list(httpx.Response(200, content=b"".join(sent)).iter_lines())


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\n", "\r", "租"])
def test_a_piece_of_an_answer_is_one_line(letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    piece = Event(channel="turn:1", seq=1, kind="piece", data={"text": f"The rent{letter} is due."})
    (line,) = (line for line in lines_of(piece, monkeypatch) if line.startswith("data:"))
    assert json.loads(line.removeprefix("data:"))["text"] == f"The rent{letter} is due."
