"""What a file storage raises, as the one kind of error that the rest of the code knows: OSError. And whether
the reason for an error is that a disk is full.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

# By name: importing the packages costs every process a tenth of a second, and most keep files on a disk.
S3_PACKAGES = {"boto3", "botocore", "s3transfer"}
FULL = (errno.ENOSPC, errno.EDQUOT)  # no space left on the disk, or in what the account may use of it
POSTGRES_FULL = "53100"  # SQLSTATE disk_full


class StorageUnavailable(OSError):
    """A remote storage refused or did not answer: it may do so later."""


@contextmanager
def as_os_errors() -> Iterator[None]:
    """Raise an error of the S3 client as an OSError, which jobs try again and pages explain."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in S3_PACKAGES:
            raise
        if _status(error) == HTTPStatus.INSUFFICIENT_STORAGE:
            raise OSError(errno.ENOSPC, f"The file storage: {error}") from error
        raise StorageUnavailable(f"The file storage: {error}") from error


def is_full(error: BaseException | None) -> bool:
    """Whether it, or the error that it came from, says that the disk of the files or of Postgres is full."""
    while error:
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        if getattr(error, "sqlstate", "") == POSTGRES_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _status(error: Any) -> int:
    """Of an S3 server's answer; 0 where there was none."""
    answer = getattr(error, "response", None) or {}
    return int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
