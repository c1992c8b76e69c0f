"""Landlock: from now on this process reaches the named files and folders alone. Linux 5.13 or newer."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from formats.base.kernel import call

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on all machines
ASK_VERSION = 1
PATH_BENEATH = 1

READ_FILE, READ_DIR = 1 << 2, 1 << 3
# By version: so many kinds of access to files exist, the first is 1. What is not handled stays allowed.
FILE_ACCESSES = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
NETWORK_VERSION, NETWORK_ACCESSES = 4, 0b11  # TCP: to listen, to connect
SCOPE_VERSION, SCOPES = 6, 0b11  # abstract sockets and signals of processes outside


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def restrict(readable: Iterable[Path]) -> str:
    """Only `readable` files, and what is below `readable` folders, can be read, and nothing be written,
    made, removed or run. Needs no_new_privs. Says which version is in force. Raises OSError.
    """
    version = call(CREATE_RULESET, None, 0, ASK_VERSION)
    rules = _Ruleset(files=(1 << FILE_ACCESSES[min(version, max(FILE_ACCESSES))]) - 1)
    size = 8
    if version >= NETWORK_VERSION:
        rules.network, size = NETWORK_ACCESSES, 16
    if version >= SCOPE_VERSION:
        rules.scopes, size = SCOPES, 24
    ruleset = call(CREATE_RULESET, ctypes.byref(rules), size, 0)
    try:
        for path in readable:
            _allow(ruleset, path)
        call(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return f"Landlock, version {version}"


def _allow(ruleset: int, path: Path) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what is not there, or out of reach, needs no rule
        return
    try:
        rule = _PathBeneath(allowed=READ_FILE | READ_DIR if path.is_dir() else READ_FILE, parent=parent)
        call(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
