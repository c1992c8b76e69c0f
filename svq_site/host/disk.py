"""Room on the disk of the data folder."""

import shutil

from django.conf import settings

from svq_site.host import data_folder

LEAST = 1024**3  # bytes: below it a start is refused


def free() -> int:
    """Bytes."""
    data_folder.make(settings.DATA_DIR)
    return shutil.disk_usage(settings.DATA_DIR).free
