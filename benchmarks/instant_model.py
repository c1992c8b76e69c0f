"""A chat model that answers at once, for measuring all but the model: what it says follows from the passage.

    python -m benchmarks.instant_model

Prints the address to give to SVQ_LLM_BASE_URL and speaks the OpenAI protocol until it is ended.
"""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

ENTITIES = 4  # named in a passage at most, each related to the next
SAID = 10  # words that a description takes from the passage
KEYWORDS = 3
_NAME = re.compile(r"[A-Z][\w&.’'-]+(?:[ \n][A-Z][\w&.’'-]+){0,3}")


def reading(passage: str) -> dict[str, Any]:
    """The first names of the passage with the words that follow them, and each related to the next."""
    places: dict[str, int] = {}
    for match in _NAME.finditer(passage):
        name = " ".join(match.group().split()).strip(".,'’")
        if len(name) > 3 and len(places) < ENTITIES:
            places.setdefault(name, match.end())
    said = {name: " ".join(passage[end:].split()[:SAID]) for name, end in places.items()}
    return {
        "entities": [
            {"name": name, "types": ["ORGANIZATION"], "description": f"{name} {words}"}
            for name, words in said.items()
        ],
        "relations": [
            {
                "source": a,
                "target": b,
                "type": "",
                "description": f"{a}, with {b}: {said[a]}",
                "keywords": said[a].split()[:KEYWORDS],
                "strength": 5,
            }
            for a, b in pairwise(places)
        ],
        "keywords": sorted(set(passage.split()), key=lambda word: (-len(word), word))[:KEYWORDS],
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = json.dumps(reading(request["messages"][-1]["content"]), ensure_ascii=False)
        answer = {
            "id": "instant",
            "object": "chat.completion",
            "created": 1,
            "model": request["model"],
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            ],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True


if __name__ == "__main__":
    with _Server(("127.0.0.1", 0), _Handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
        server.serve_forever()
