"""Traces as a collector of OpenTelemetry receives them, without a word of a question or a document."""

import logging
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from procrastinate.contrib.django import app

from accounts.models import User
from chat.services import ask
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload
from jobs.reports import reporting
from metrics import traces
from svq_site.monitoring import tracing as module
from svq_site.monitoring.tracing import Tracing
from tests.factories import TEXT
from tests.openai_server import ScriptedOpenAI, ScriptedReply, tools_reply

pytestmark = pytest.mark.django_db(transaction=True)


class Collector:
    """Takes what is sent to it on this machine."""

    def __init__(self) -> None:
        received: list[Any] = []
        self.received = received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append(ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def spans(self) -> list[Any]:
        resources = [each for request in self.received for each in request.resource_spans]
        return [span for each in resources for scope in each.scope_spans for span in scope.spans]


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    collector = Collector()
    monkeypatch.setenv(module.ENDPOINT, collector.address)
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


def work() -> None:
    """All queued jobs, with what a worker wraps them in."""
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(
            wait=False, install_signal_handlers=False, listen_notify=False, worker_middleware=[reporting]
        )


def no_answer(request: dict[str, Any]) -> ScriptedReply:
    return tools_reply(("answer", {"answer": "No.", "found": "none"}))


def test_a_question_and_a_document_have_a_trace_each(
    collector: Collector, alice: User, contracts: Datasource, settings: Any
) -> None:
    tracing = Tracing()
    tracing.start("test")
    try:
        with ScriptedOpenAI(no_answer) as server:
            settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
            accept_upload(contracts, alice, "Lease of the mill.txt", BytesIO(TEXT.encode()))
            work()
            ask(alice, contracts, "May we leave the mill early?")
            work()
    finally:
        tracing.stop()
    spans = collector.spans()
    for root in ("turn", "document"):
        (first,) = (span for span in spans if span.name == root)
        trace = {span.span_id: span for span in spans if span.trace_id == first.trace_id}
        assert first.parent_span_id == b""
        for span in trace.values():
            while span.parent_span_id:  # each leads up to the first
                span = trace[span.parent_span_id]
            assert span is first
        names = {span.name for span in trace.values()}
        expected = {
            "turn": {"ask", "queue", "job answer", "stage searching", "model chat"},
            "document": {"upload", "queue", "stage extract", "stage embed"},
        }
        assert expected[root] <= names, names
        assert first.end_time_unix_nano >= max(span.start_time_unix_nano for span in trace.values())
    written = "".join(map(str, collector.received))
    assert not [word for word in ("mill", "Backups", "alice", "Contracts") if word in written]


def test_nothing_is_recorded_without_an_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(module.ENDPOINT, raising=False)
    Tracing().start("test")
    with traces.span("anything") as span:
        assert not span.is_recording()


def test_missing_packages_are_told_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(module.ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with caplog.at_level(logging.WARNING):
        Tracing().start("test")
    assert "make otel" in caplog.text
    with traces.span("anything") as span:
        assert not span.is_recording()
