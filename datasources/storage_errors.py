"""What a file storage raises, as the one kind of error that the rest of the code knows: OSError."""

from collections.abc import Iterator
from contextlib import contextmanager

# Told by name: importing the packages costs every process a tenth of a second, and most keep files on a disk.
S3_PACKAGES = {"boto3", "botocore", "s3transfer"}


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
        raise StorageUnavailable(f"The file storage: {error}") from error
