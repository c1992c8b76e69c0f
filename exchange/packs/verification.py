"""Whether a pack is as it was signed, and by whom. Unpacks nothing, and trusts no name in it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, BinaryIO

from exchange.packs.archive import BadArchive, Entry, read_content, read_entries
from exchange.packs.keys import PublicKey
from exchange.packs.manifest import (
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
ASK = (
    "Anybody can sign with a key of their own, so ask the sender for the fingerprint of theirs, by another"
    " way than the pack came."
)


class Outcome(IntEnum):
    """What a verification comes to; as a number, the exit status of the command."""

    HOLDS = 0
    BROKEN = 1
    NO_KEY = 2  # whole and unchanged, and no key is known here to compare the signer's with
    OTHER_KEY = 3  # whole and unchanged, and signed by another key than the one that is known here


_FROM_BEST = (Outcome.HOLDS, Outcome.NO_KEY, Outcome.OTHER_KEY, Outcome.BROKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The key to compare the signer's with. whose: its name in a sentence, such as “this SVQ's key”."""

    fingerprint: str
    whose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, in a sentence, and what it comes to."""

    outcome: Outcome
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
        return max((check.outcome for check in self.checks), key=_FROM_BEST.index)


def verify(file: BinaryIO, expected: Expected | None = None) -> Verification:
    """expected: the key that should have signed it, where one is known. Raises OSError."""
    try:
        entries = {entry.name: entry for entry in read_entries(file)}
        manifest = _content(file, entries, MANIFEST, MOST_MANIFEST_BYTES)
        signature = signature_in(_content(file, entries, SIGNATURE, MOST_SIGNATURE_BYTES))
        hashes = hashes_in(manifest)
    except (BadArchive, BadManifest) as error:
        return Verification(checks=[_broken(str(error))], key=None, facts={})
    found = list(_files(entries, hashes))
    if not signature.key.has_signed(signature.signature, manifest):
        words = f"The signature does not fit: {MANIFEST} or {SIGNATURE} was altered, or somebody signed anew."
        return Verification(checks=[*found, _broken(words)], key=None, facts={})
    is_whole = all(check.outcome == Outcome.HOLDS for check in found)
    told = _facts(file, entries) if is_whole else {}
    return Verification(checks=[*found, _signer(signature.key, expected)], key=signature.key, facts=told)


def _broken(words: str) -> Check:
    return Check(outcome=Outcome.BROKEN, words=words)


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
    yield from map(_broken, wrong)
    if not wrong:
        words = f"{counted(len(there), 'file')}, whole and unchanged since they were signed."
        yield Check(outcome=Outcome.HOLDS, words=words)


def _signer(key: PublicKey, expected: Expected | None) -> Check:
    if expected is None:
        words = f"Signed by a key that can't be compared here. Its fingerprint is {key.shown}. {ASK}"
        return Check(outcome=Outcome.NO_KEY, words=words)
    if key.fingerprint == expected.fingerprint:
        return Check(outcome=Outcome.HOLDS, words=f"Signed by {expected.whose}, {key.shown}.")
    words = f"Signed by another key than {expected.whose}. Its fingerprint is {key.shown}. {ASK}"
    return Check(outcome=Outcome.OTHER_KEY, words=words)


def _facts(file: BinaryIO, entries: Mapping[str, Entry]) -> Mapping[str, Any]:
    if FACTS not in entries or entries[FACTS].size > MOST_FACTS_BYTES:
        return {}
    try:
        told = json.loads(read_content(file, entries[FACTS], MOST_FACTS_BYTES))
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
