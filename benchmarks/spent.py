"""Processor seconds of processes and of all that they have started, also of what has ended since."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def of_tree(process: int) -> float:
    """That a process has taken so far, with its children and theirs."""
    found = _processes()
    children: dict[int, list[int]] = {}
    for each, (parent, _) in found.items():
        children.setdefault(parent, []).append(each)
    waiting, ticks = [process], 0
    while waiting:
        each = waiting.pop()
        waiting += children.get(each, ())
        ticks += found[each][1] if each in found else 0
    return ticks / TICKS


def of_postgres() -> float:
    """That the database server has taken, which runs on this machine: all its processes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ((process,),) = cursor.fetchall()
    return of_tree(_processes()[process][0])


def _processes() -> dict[int, tuple[int, int]]:
    """Of each: its parent, and the ticks of itself and of its children that have ended."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        found[int(path.parent.name)] = int(values[1]), sum(map(int, values[11:15]))
    return found
