"""manage.py verify_pack FILE: whether an evidence pack is as SVQ has signed it. Needs no database, except for
what became of the documents.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exchange.packs.documents_since import documents_now
from exchange.packs.keys import BadKey, fingerprint_of, own_key_if_made, public_key_of
from exchange.packs.verification import Expected, Outcome, Verification, verify
from formats.base.characters import one_line

CONCLUSIONS = {
    Outcome.HOLDS: "The pack is whole and unchanged, and signed by the key that it should be signed by.",
    Outcome.BROKEN: "The pack is not as it was signed. Do not rely on it.",
    Outcome.NO_KEY: "The pack is whole and unchanged. Whether the sender has signed it can't be seen here.",
    Outcome.OTHER_KEY: (
        "Signed by a key that this SVQ does not know. Nothing was changed since it was signed with that key."
    ),
}
ANOTHER_KEY = (
    "Signed by another key than the one you named. Nothing was changed since it was signed with that key."
)
SIGNS = {
    Outcome.HOLDS: "ok",
    Outcome.BROKEN: "WRONG",
    Outcome.NO_KEY: "not known",
    Outcome.OTHER_KEY: "other key",
}
MOST_KEY_BYTES = 10_000
NOT_OURS = "What became of its documents is not known here: this SVQ has not signed the pack as it is."


class Command(BaseCommand):
    help = (
        "Say whether an evidence pack is as it was signed. Exit status 0: it is, and the expected key has "
        "signed it; 1: it is not; 2: it is, but there is no key here to compare the signer's with; "
        "3: it is, but another key has signed it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the pack, a .zip file")
        parser.add_argument(
            "--key",
            metavar="FINGERPRINT|FILE",
            help="the key that should have signed it: its fingerprint, or a PEM file; else that of this SVQ",
        )
        parser.add_argument(
            "--documents",
            action="store_true",
            help="also say which documents were replaced or deleted since; for the SVQ that wrote the pack",
        )

    def handle(self, **options: Any) -> None:
        expected = _named(options["key"]) if options["key"] else _own()
        path = Path(options["file"])
        try:
            if path.exists() and not path.is_file():
                raise CommandError(f"{path} is not a file: name the .zip of the pack.")
            with path.open("rb") as file:
                found = verify(file, expected)
        except OSError as error:
            raise CommandError(f"Can't read {options['file']}: {error.strerror}.") from error
        is_another = found.outcome == Outcome.OTHER_KEY and options["key"]
        self.stdout.write(ANOTHER_KEY if is_another else CONCLUSIONS[found.outcome])
        for line in _described(found):
            self.stdout.write(line)
        for check in found.checks:
            self.stdout.write(f"{SIGNS[check.outcome]}: {check.words}")
        if options["documents"]:
            for line in _documents(found):
                self.stdout.write(line)
        if found.outcome != Outcome.HOLDS:
            sys.exit(int(found.outcome))


def _own() -> Expected | None:
    key = own_key_if_made()
    return Expected(fingerprint=key.fingerprint, whose="this SVQ's key") if key else None


def _named(key: str) -> Expected:
    """Raises CommandError."""
    path = Path(key)
    try:
        if not path.is_file():
            return Expected(fingerprint=fingerprint_of(key), whose="the key that you named")
        with path.open("rb") as file:
            pem = file.read(MOST_KEY_BYTES)
        return Expected(fingerprint=public_key_of(pem).fingerprint, whose=f"the key in {key}")
    except (BadKey, OSError) as error:
        raise CommandError(f"--key {key}: {error}") from error


def _described(found: Verification) -> list[str]:
    """What the pack is, where that is known to be as it was signed."""
    told = found.facts
    lines = [(name, told.get(key)) for name, key in (("Pack", "title"), ("Written", "written"))]
    return [f"{name}: {one_line(value)[:200]}" for name, value in lines if isinstance(value, str)]


def _documents(found: Verification) -> list[str]:
    """What became of them; nothing in a pack of another deployment says which of ours they are."""
    if not found.facts or found.key is None or found.key != own_key_if_made():
        return [NOT_OURS]
    return [one_line(line) for line in documents_now(found.facts)]
