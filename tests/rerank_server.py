"""A reranking server over loopback HTTP, as Cohere and Jina or as TEI speak; it scores by words in common."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class RerankServer:
    """`requests`: the JSON bodies received. `form`: "cohere", "jina" or "tei"; a request in the form of TEI
    to the others, or theirs to TEI, gets a status 422.

    `status`: answered instead, if it is not 200. `raw`: scores without ends, as models give them.
    """

    def __init__(self, form: str = "cohere", *, status: int = 200, raw: bool = False) -> None:
        self.form, self.status, self.raw = form, status, raw
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.requests.append({"path": self.path, **body})
                status, answer = outer.answer(body)
                content = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def answer(self, body: dict[str, Any]) -> tuple[int, Any]:
        if self.status != 200:
            return self.status, {"error": {"message": "no"}}
        texts = body.get("texts" if self.form == "tei" else "documents")
        if texts is None:
            return 422, {"error": {"message": "missing field"}}
        asked = set(body["query"].lower().split())
        shares = [len(asked & set(text.lower().split())) / len(asked) for text in texts]
        scores = [12 * share - 6 if self.raw else share for share in shares]
        order = sorted(range(len(scores)), key=lambda index: -scores[index])
        if self.form == "jina":
            told = [{"index": i, "document": {"text": texts[i]}, "relevance_score": scores[i]} for i in order]
            return 200, {"model": body["model"], "usage": {"total_tokens": 9}, "results": told}
        if self.form == "cohere":
            return 200, {"results": [{"index": i, "relevance_score": scores[i]} for i in order]}
        return 200, [{"index": i, "score": scores[i]} for i in order]

    def __enter__(self) -> "RerankServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
