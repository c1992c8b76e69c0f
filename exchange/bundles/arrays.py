"""Vectors as .npy files, version 1.0 of that format: little-endian, one row after the other."""

import ast
import struct
from collections.abc import Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from exchange.bundles.errors import Damaged

MAGIC = b"\x93NUMPY\x01\x00"
AT_ONCE = 1000  # rows
HALF, NUMBER = "<f2", "<i8"
MOST_HEADER = 1000  # bytes
OTHER_FORM = "is no array as bundles have them"


def header(kind: str, *shape: int) -> bytes:
    """What stands before the numbers."""
    described = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    filled = described.ljust(-(-(len(MAGIC) + 2 + len(described) + 1) // 64) * 64 - len(MAGIC) - 3) + "\n"
    return MAGIC + struct.pack("<H", len(filled)) + filled.encode()


def read_header(file: IO[bytes], kind: str, name: str) -> tuple[int, ...]:
    """The shape. Raises Damaged for another kind of array."""
    start = file.read(len(MAGIC) + 2)
    if len(start) < len(MAGIC) + 2 or start[: len(MAGIC)] != MAGIC:
        raise Damaged(name, OTHER_FORM)
    (length,) = struct.unpack("<H", start[len(MAGIC) :])
    try:
        said = ast.literal_eval(file.read(min(length, MOST_HEADER)).decode("ascii"))
        shape = tuple(said["shape"])
        is_known = said["descr"] == kind and said["fortran_order"] is False
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError) as error:
        raise Damaged(name, OTHER_FORM) from error
    if not is_known or not all(type(size) is int and size >= 0 for size in shape):
        raise Damaged(name, OTHER_FORM)
    return shape


def read_rows(file: IO[bytes], kind: str, shape: tuple[int, ...], name: str) -> Iterator[NDArray[np.generic]]:
    """Some rows at a time. Raises Damaged where there are more or fewer than the shape says."""
    number = np.dtype(kind).itemsize
    width = int(np.prod(shape[1:], dtype=object)) if len(shape) > 1 else 1
    left = shape[0]
    while left:
        some = min(left, AT_ONCE)
        block = file.read(some * width * number)
        if len(block) != some * width * number:
            raise Damaged(name, "has fewer rows than it says")
        yield np.frombuffer(block, kind).reshape(some, *shape[1:])
        left -= some
    if file.read(1):
        raise Damaged(name, "has more rows than it says")
