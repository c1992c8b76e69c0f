"""Free space on the disk of the data folder."""

import shutil

from django.conf import settings

from svq_site.database import data_folder

LEAST = 1024**3  # bytes: below it a start is refused
LOW = 5 * LEAST  # below it `doctor` and /healthz warn


def free() -> int:
    """Bytes."""
    data_folder.make(settings.DATA_DIR)
    return shutil.disk_usage(settings.DATA_DIR).free


def warning() -> str:
    """How much is free, if that is little; else nothing."""
    left = free()
    return f"only {left / 2**30:,.1f} GB free in the data folder" if left < LOW else ""
