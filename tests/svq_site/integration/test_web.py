"""`manage.py web`: the server alone, as on a host without `up`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from django.conf import settings

from tests.processes import PATIENCE, free_port, url_of_test_database, wait_until


@pytest.mark.django_db
def test_pages_have_their_style_sheets_where_nothing_was_prepared(tmp_path: Path) -> None:
    port = free_port()
    environment = os.environ | {"DATABASE_URL": url_of_test_database(), "SVQ_DATA_DIR": str(tmp_path)}
    web = subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "web", f"--port={port}"], env=environment
    )

    def page() -> str:
        assert web.poll() is None
        try:
            return httpx.get(f"http://127.0.0.1:{port}/account/login/", timeout=5).text
        except httpx.TransportError:
            return ""

    try:
        wait_until(page, "the sign-in page")
        sheet = re.search(r'href="(/static/[^"]+\.css)"', page())
        assert sheet
        assert httpx.get(f"http://127.0.0.1:{port}{sheet[1]}").status_code == 200
    finally:
        web.terminate()
    assert web.wait(PATIENCE) in (0, -15)
