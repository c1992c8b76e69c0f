"""System calls that Python has no function for."""

import ctypes
import os
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: Any) -> int:
    """The system call of that number. Raises OSError."""
    return _checked(_libc.syscall(ctypes.c_long(number), *map(_word, arguments)))


def prctl(option: int, *arguments: Any) -> int:
    """Raises OSError."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return _checked(_libc.prctl(ctypes.c_int(option), *map(_word, padded)))


def unshare(flags: int) -> None:
    """Move this process into new namespaces. Raises OSError."""
    _checked(_libc.unshare(ctypes.c_int(flags)))


def _word(argument: Any) -> Any:
    """Numbers as wide as a register: the kernel reads all of it."""
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def _checked(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
