"""Sends traces where OTEL_EXPORTER_OTLP_ENDPOINT says, if the packages for it are installed (make otel)."""

import logging
import os
from typing import Any

from metrics import traces

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
VERSION = "1"  # of the spans' names and attributes

logger = logging.getLogger(__name__)


class Tracing:
    """One for a process."""

    def __init__(self) -> None:
        self._provider: Any = None

    def start(self, process: str) -> None:
        """Send the traces of this process from now on; `process`: what it is, such as "web"."""
        if not os.environ.get(ENDPOINT):
            return
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

            from svq_site.monitoring.given_ids import GivenIds
        except ImportError:
            logger.warning("%s is set, but the packages are missing: `make otel` installs them.", ENDPOINT)
            return
        name = os.environ.get("OTEL_SERVICE_NAME") or "svq"
        resource = Resource.create({"service.name": name, "svq.process": process})
        self._provider = TracerProvider(id_generator=GivenIds(), resource=resource)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        traces.use(self._provider.get_tracer("svq", VERSION))

    def stop(self) -> None:
        """Send what is left; nothing is recorded any more."""
        traces.use(None)
        if self._provider:
            self._provider.shutdown()
            self._provider = None


tracing = Tracing()
