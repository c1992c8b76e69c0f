"""What is signed of a pack: the names, sizes and hashes of its files. Pure.

Both files have one form of bytes for what they say, so that a byte that was altered in them is noticed,
whatever it means.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from exchange.packs.archive import MOST_BYTES, NAME, Entry
from exchange.packs.keys import KEY_BYTES, SIGNATURE_BYTES, PublicKey

FORMAT = "svq-evidence-pack"
VERSION = 1
MANIFEST, SIGNATURE = "manifest.json", "signature.json"
OTHER_FORM = f"{MANIFEST} is no list of files as SVQ writes it."
MOST_MANIFEST_BYTES, MOST_SIGNATURE_BYTES = 1 << 20, 1 << 10


class BadManifest(Exception):
    """The manifest or the signature is not as SVQ writes it; the message says so in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureFile:
    """key: the public one that is said to have signed."""

    key: PublicKey
    signature: bytes

    def as_bytes(self) -> bytes:
        written = {"public_key": self.key.text, "signature": base64.b64encode(self.signature).decode()}
        return _written({"algorithm": "Ed25519", **written})


class _Listed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(pattern=f"^{NAME.pattern}$")]
    size: Annotated[int, Field(ge=0, le=MOST_BYTES)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Kind(BaseModel):
    """What is read first: a newer form may have more, and says so in its version."""

    model_config = ConfigDict(strict=True)
    format: str
    version: Annotated[int, Field(ge=1, le=1_000_000)]


class _Manifest(_Kind):
    model_config = ConfigDict(extra="forbid", strict=True)
    files: list[_Listed]


class _Signature(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    algorithm: str
    public_key: str
    signature: str


def manifest_of(entries: Sequence[Entry]) -> bytes:
    """Of all files that are in the archive so far, in their order."""
    files = [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in entries]
    return _written({"format": FORMAT, "version": VERSION, "files": files})


def hashes_in(manifest: bytes) -> dict[str, str]:
    """The SHA-256 that each file has, by name. Raises BadManifest."""
    try:
        kind = _Kind.model_validate_json(manifest)
        if kind.format != FORMAT:
            raise BadManifest(f"{MANIFEST} is not that of an evidence pack.")
        if kind.version > VERSION:
            raise BadManifest("It was written by a newer SVQ, in a form that this one does not know.")
        said = _Manifest.model_validate_json(manifest)
    except ValidationError:
        raise BadManifest(OTHER_FORM) from None
    hashes = {each.name: each.sha256 for each in said.files}
    if len(hashes) != len(said.files) or _written(said.model_dump()) != manifest:
        raise BadManifest(OTHER_FORM)
    return hashes


def signature_in(written: bytes) -> SignatureFile:
    """Raises BadManifest."""
    try:
        said = _Signature.model_validate_json(written)
        key, signature = (base64.b64decode(each, validate=True) for each in (said.public_key, said.signature))
    except ValueError:
        raise BadManifest(f"{SIGNATURE} is no signature as SVQ writes it.") from None
    read = SignatureFile(key=PublicKey(key), signature=signature)
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES or read.as_bytes() != written:
        raise BadManifest(f"{SIGNATURE} is no signature as SVQ writes it.")
    return read


def _written(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, indent=1).encode() + b"\n"
