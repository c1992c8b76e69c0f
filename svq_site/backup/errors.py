"""What goes wrong with backups, in words for the person at the command line."""


class BackupError(Exception):
    """What happened, what is safe, what to do."""


class Damaged(BackupError):
    """Something in a backup is not what was put there."""
