"""Whether a pack is as it was signed, and by whom. Unpacks nothing, and trusts no name in it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, BinaryIO

from packs.archive import BadArchive, Entry, read_content, read_entries
from packs.keys import PublicKey
from packs.manifest import (
    MANIFEST,
    MOST_MANIFEST_BYTES,
    MOST_SIGNATURE_BYTES,
    SIGNATURE,
    BadManifest,
    hashes_in,
    signature_in,
)
from text.counted import counted

FACTS = "pack.json"
MOST_FACTS_BYTES = 32 * 1024 * 1024


class Outcome(IntEnum):
    """What a verification comes to; as a number, the exit status of the command."""

    HOLDS = 0
    BROKEN = 1
    UNKNOWN_KEY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The key that must have signed. whose: its name in a sentence, such as “this deployment's key”."""

    fingerprint: str
    whose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, in a sentence. `holds` is None for what only a person can settle."""

    holds: bool | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """key: the one that has signed; None where no signature holds. facts: what pack.json says; empty unless
    it is as it was signed.
    """

    checks: Sequence[Check]
    key: PublicKey | None
    facts: Mapping[str, Any]

    @property
    def outcome(self) -> Outcome:
        if any(check.holds is False for check in self.checks):
            return Outcome.BROKEN
        return Outcome.UNKNOWN_KEY if any(check.holds is None for check in self.checks) else Outcome.HOLDS


def verify(file: BinaryIO, expected: Expected | None = None) -> Verification:
    """expected: the key that must have signed it, where one is known. Raises OSError."""
    try:
        entries = {entry.name: entry for entry in read_entries(file)}
        manifest = _content(file, entries, MANIFEST, MOST_MANIFEST_BYTES)
        signature = signature_in(_content(file, entries, SIGNATURE, MOST_SIGNATURE_BYTES))
        hashes = hashes_in(manifest)
    except (BadArchive, BadManifest) as error:
        return Verification(checks=[Check(holds=False, words=str(error))], key=None, facts={})
    found = list(_files(entries, hashes))
    if not signature.key.has_signed(signature.signature, manifest):
        words = f"The signature does not fit: {MANIFEST} or {SIGNATURE} was altered, or somebody signed anew."
        return Verification(checks=[*found, Check(holds=False, words=words)], key=None, facts={})
    told = {} if any(check.holds is False for check in found) else _facts(file, entries)
    return Verification(checks=[*found, _signer(signature.key, expected)], key=signature.key, facts=told)


def _content(file: BinaryIO, entries: Mapping[str, Entry], name: str, most: int) -> bytes:
    if name not in entries:
        raise BadArchive(f"It has no {name}: it is no evidence pack, or that was taken out.")
    if not entries[name].intact:
        raise BadArchive(f"{name} was altered.")
    return read_content(file, entries[name], most)


def _files(entries: Mapping[str, Entry], hashes: Mapping[str, str]) -> Iterator[Check]:
    """A line for each file that is not as the manifest says, or one for all."""
    there = {name: entry for name, entry in entries.items() if name not in (MANIFEST, SIGNATURE)}
    wrong = [f"{name} is missing." for name in hashes if name not in there]
    wrong += [f"{name} was added." for name in there if name not in hashes]
    wrong += [
        f"{name} was altered."
        for name, entry in there.items()
        if name in hashes and (not entry.intact or entry.sha256 != hashes[name])
    ]
    yield from (Check(holds=False, words=words) for words in wrong)
    if not wrong:
        yield Check(holds=True, words=f"{counted(len(there), 'file')}, each as it was signed.")


def _signer(key: PublicKey, expected: Expected | None) -> Check:
    if expected is None:
        words = (
            f"Signed by the key {key.shown}. No key is known here to compare it with: ask whoever gave you"
            " the pack for the fingerprint of their SVQ, by another way than the pack came."
        )
        return Check(holds=None, words=words)
    if key.fingerprint == expected.fingerprint:
        return Check(holds=True, words=f"Signed by {expected.whose}, {key.shown}.")
    return Check(holds=False, words=f"Signed by another key than {expected.whose}: {key.shown}.")


def _facts(file: BinaryIO, entries: Mapping[str, Entry]) -> Mapping[str, Any]:
    if FACTS not in entries or entries[FACTS].size > MOST_FACTS_BYTES:
        return {}
    try:
        told = json.loads(read_content(file, entries[FACTS], MOST_FACTS_BYTES))
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
