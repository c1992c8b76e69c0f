"""Locks of Postgres that belong to no row."""

from zlib import crc32

from sql import rows


def hold(kind: int, key: int | str = 0) -> None:
    """Wait for others who hold it; it is held to the end of the transaction. kind: a number that nobody else
    uses; key: of what is locked, for which another may stand now and then, as it is kept in 31 bits.
    """
    number = key if isinstance(key, int) else crc32(key.encode())
    rows("SELECT pg_advisory_xact_lock(%s, %s)", kind, number % 2**31)
