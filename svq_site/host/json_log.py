"""The log as JSON, a line each, for programs that collect it. It leaves out what log_lines leaves out."""

import json
import logging
from datetime import UTC, datetime

from jobs.reports import current_job
from svq_site.host.log_lines import cleaned
from svq_site.serving.request_id import current_request


class JsonFormatter(logging.Formatter):
    """{time, level, logger, message}, and `request` or `job` where the line is of one, `error` its traceback,
    `told` what was measured.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": cleaned(record.getMessage(), record),
            "request": current_request(),
            "job": current_job(),
            "told": getattr(record, "told", None),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = cleaned(self.formatException(record.exc_info), record)
        kept = {name: value for name, value in line.items() if value}
        return json.dumps(kept, ensure_ascii=False, default=str)
