"""What this process counts of its own work, for Prometheus.

Labels name kinds of work, never a person, a document or an address, and each has few values.
"""

import os

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

# Where the processes of one `up` count together; see `prometheus_client.multiprocess`, which reads it.
TOGETHER = "PROMETHEUS_MULTIPROC_DIR"

REGISTRY = CollectorRegistry()

_OF_REQUESTS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_OF_WORK = (0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)

REQUESTS = Counter(
    "svq_requests", "Requests by the name of their view.", ["view", "method", "status"], registry=REGISTRY
)
REQUEST_SECONDS = Histogram(
    "svq_request_seconds",
    "Seconds until the headers of a response.",
    ["view"],
    buckets=_OF_REQUESTS,
    registry=REGISTRY,
)
STAGE_SECONDS = Histogram(
    "svq_stage_seconds",
    "Seconds of a stage of reading a document or of answering a question.",
    ["work", "stage"],
    buckets=_OF_WORK,
    registry=REGISTRY,
)
ANSWERS = Counter("svq_answers", "Questions by how they ended.", ["status"], registry=REGISTRY)
ANSWER_SECONDS = Histogram(
    "svq_answer_seconds",
    "Seconds from the start of a question to its end.",
    buckets=_OF_WORK,
    registry=REGISTRY,
)
MODEL_CALLS = Counter(
    "svq_model_calls", "Calls of model servers by how they ended.", ["kind", "status"], registry=REGISTRY
)
MODEL_SECONDS = Histogram(
    "svq_model_call_seconds",
    "Seconds of calls of model servers.",
    ["kind"],
    buckets=_OF_WORK,
    registry=REGISTRY,
)


def counted() -> bytes:
    """In Prometheus's text format: what this process has counted, or all processes of the same `up` have."""
    if TOGETHER not in os.environ:
        return generate_latest(REGISTRY)
    everybody = CollectorRegistry()
    MultiProcessCollector(everybody)
    return generate_latest(everybody)
