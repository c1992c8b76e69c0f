"""An S3 server on this machine, whose memory is empty at first."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from moto.server import ThreadedMotoServer


def forget_all_objects(url: str) -> None:
    """moto keeps one memory for all servers of a process: what another test stored is still in it."""
    httpx.post(f"{url}/moto-api/reset", trust_env=False).raise_for_status()


@contextmanager
def s3_server() -> Iterator[str]:
    """Its address."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        forget_all_objects(f"http://{host}:{port}")
        yield f"http://{host}:{port}"
    finally:
        server.stop()
