"""Which kind of Office file or archive a sample of its bytes is of (formats.registry.sample_of). Pure."""

ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # files of Office of before 2007, and those with a password
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def is_package(sample: bytes, *parts: bytes) -> bool:
    """Whether it is an archive that has one of these parts."""
    return sample.startswith(ZIP) and any(part in sample for part in parts)


def is_encrypted_package(sample: bytes) -> bool:
    return sample.startswith(OLE) and ENCRYPTED in sample


def has_stream(sample: bytes, *names: str) -> bool:
    """Whether it is an OLE file with a stream of one of these names."""
    ended = (name.encode("utf-16-le") + b"\0\0" for name in names)
    return sample.startswith(OLE) and any(name in sample for name in ended)
