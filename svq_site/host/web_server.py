"""How the web server is started, by `up` and by `web`: uvicorn with limits to what one client may hold."""

import sys

from django.conf import settings

STOP_SECONDS = 5  # for requests under way when the server stops

# No client keeps more than its share of the server; see svq_site.serving.
BOUNDED = (
    *("--http", "svq_site.serving.protocol:BoundedProtocol", "--ws", "none"),
    *("--backlog", "128"),  # so many are accepted before any is counted: few beside `open_files.RESERVED`
)


def command(host: str, port: int) -> list[str]:
    """The program and its arguments. Static files have to be collected before."""
    return [
        sys.executable,
        "-m",
        "uvicorn",
        "svq_site.asgi:application",
        "--app-dir",
        str(settings.BASE_DIR),
        "--host",
        host,
        "--port",
        str(port),
        "--timeout-graceful-shutdown",
        str(STOP_SECONDS),
        "--no-access-log",
        "--log-level",
        "warning",
        "--no-proxy-headers",  # asgi.py reads them, and only believes SVQ_TRUSTED_PROXIES
        *BOUNDED,
    ]
