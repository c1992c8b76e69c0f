"""Room on the disk of the data folder."""

import shutil

from django.conf import settings

LEAST = 1024**3  # bytes: below it a start is refused


def free() -> int:
    """Bytes."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(settings.DATA_DIR).free
