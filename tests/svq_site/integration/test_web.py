"""`manage.py web`: the server alone, as on a host without `up`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings

from tests.processes import PATIENCE, free_port, url_of_test_database, wait_until, with_models


@pytest.mark.django_db
def test_it_serves_where_nothing_was_prepared_and_ends_in_good_order(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    environment = os.environ | {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(with_models(tmp_path)),
        "SVQ_DRAIN_SECONDS": "3",
        "SVQ_LOG_FORMAT": "json",
        "SVQ_LOG_LEVEL": "INFO",
        "SVQ_TRUSTED_PROXIES": "127.0.0.1",
        "SVQ_METRICS_TOKEN": "a token",
    }
    with log.open("wb") as file:
        web = subprocess.Popen(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), "web", f"--port={port}"],
            env=environment,
            stderr=file,
        )

    def get(path: str, **headers: str) -> httpx.Response | None:
        try:
            return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=5, headers=headers)
        except httpx.TransportError:
            return None

    def states(path: str) -> tuple[int, Any]:
        response = get(path, Host="10.1.2.3:8000")  # as Kubernetes asks, by the address of a pod
        assert response
        return response.status_code, response.json()

    def page() -> httpx.Response | None:
        assert web.poll() is None, log.read_text()
        return get("/account/login/", **{"X-Request-ID": "of-the-proxy-1"})

    try:
        found = wait_until(page, "the sign-in page", seconds=2 * PATIENCE)  # models and files are made
        assert found.headers["X-Request-ID"] == "of-the-proxy-1"
        sheet = re.search(r'href="(/static/[^"]+\.css)"', found.text)
        assert sheet
        of_sheet = get(sheet[1])
        assert of_sheet
        assert of_sheet.status_code == 200
        assert states("/livez") == (200, {"status": "ok", "web": "ok"})
        assert states("/readyz")[0] == 200
        figures = get("/metrics", Authorization="Bearer a token")
        assert figures
        assert re.search(r'svq_requests_total\{.*view="account_login"\} [1-9]', figures.text)

        web.terminate()
        wait_until(lambda: states("/readyz")[0] == 503, "the news that it ends")
        assert states("/readyz")[1]["web"] == "ends"
        assert states("/livez")[0] == 200
        answered = page()  # whoever still comes is served
        assert answered
        assert answered.status_code == 200
    finally:
        web.terminate()  # the second time: at once
        ended = web.wait(PATIENCE)
    assert ended in (0, -15)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    of_page = [line for line in lines if line.get("request") == "of-the-proxy-1" and "told" in line]
    assert [(line["told"]["view"], line["told"]["status"]) for line in of_page] == [
        ("account_login", 200)
    ] * 2
