"""Runs a command as root under another user's id: python user_namespace.py UID GID COMMAND ...

Run as a plain script, never imported. In the user namespace that it makes, root's id is shown as UID. The
command meets a check for root with that, and reaches root's files all the same, without root's other rights.
"""

import ctypes
import os
import sys

NEW_USER = 0x10000000
NOT_ALLOWED = 125  # exit status


def main() -> None:
    uid, gid, *command = sys.argv[1:]
    try:
        enter(int(uid), int(gid))
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(NOT_ALLOWED)
    os.execv(command[0], command)


def enter(uid: int, gid: int) -> None:
    """Raises OSError where the kernel, or a container, does not allow it."""
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_USER):
        raise OSError(ctypes.get_errno(), "unshare")
    _write("setgroups", "deny")
    _write("uid_map", f"{uid} {outer_uid} 1")
    _write("gid_map", f"{gid} {outer_gid} 1")


def _write(name: str, text: str) -> None:
    with open(f"/proc/self/{name}", "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
