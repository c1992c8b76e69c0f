"""The pass phrase of an encrypted backup folder: from the environment, or asked for."""

import sys
from getpass import getpass
from pathlib import Path

from svq_site import env
from svq_site.backup.errors import BackupError
from svq_site.backup.sealing import KEY
from svq_site.backup.store import FORM

VARIABLE = "SVQ_BACKUP_PASSPHRASE"
LEAST = 12  # characters


def to_write(folder: Path, *, encrypt: bool) -> str:
    """Empty for a folder that is not encrypted. A new one is where `encrypt` or the environment says so.

    Raises BackupError.
    """
    if not (folder / FORM).exists():
        return _new(folder) if encrypt or env.text(VARIABLE) else ""
    if (encrypt or env.text(VARIABLE)) and not (folder / KEY).exists():
        raise BackupError(
            f"{folder} is not encrypted, or its {KEY} is gone. Nothing was changed. Name a new folder, or"
            f" unset {VARIABLE}."
        )
    return to_read(folder)


def to_read(folder: Path) -> str:
    """Empty for a folder that is not encrypted, or if nobody can be asked. Raises BackupError."""
    if not (folder / KEY).exists():
        if env.text(VARIABLE) and (folder / FORM).exists():  # a plain one may have been put in its place
            raise BackupError(
                f"{folder} is not encrypted, or its {KEY} is gone, and {VARIABLE} is set. Nothing was"
                f" changed. Unset {VARIABLE} if the folder was never encrypted and nobody else may write"
                " there."
            )
        return ""
    return env.text(VARIABLE) or _asked(f"Pass phrase of {folder}: ")


def _new(folder: Path) -> str:
    given = env.text(VARIABLE)
    words = given or _asked(f"New pass phrase for {folder}: ")
    if len(words) < LEAST:
        raise BackupError(f"A pass phrase needs {LEAST} characters or more. Nothing was changed.")
    if not given and _asked("Once more: ") != words:
        raise BackupError("These were two different pass phrases. Nothing was changed.")
    return words


def _asked(prompt: str) -> str:
    if not sys.stdin.isatty():
        return ""
    return getpass(prompt)
