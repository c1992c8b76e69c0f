"""Which kind of Office file or archive a sample of its bytes is of (formats.registry.sample_of). Pure."""

from formats.embedded.parts import ENCRYPTED, OLE

ZIP = b"PK\x03\x04"


def is_package(sample: bytes, *parts: bytes) -> bool:
    """Whether it is an archive with parts that begin so."""
    return sample.startswith(ZIP) and any(part in sample for part in parts)


def is_encrypted_package(sample: bytes) -> bool:
    return sample.startswith(OLE) and ENCRYPTED in sample
