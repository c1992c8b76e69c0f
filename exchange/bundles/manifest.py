"""What a bundle says of itself: its form, who wrote it, the columns of its rows, how many, and the hashes."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext_noop
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from exchange.bundles.archive import Entry
from exchange.bundles.errors import BundleError
from localization.stored import said

FORMAT = "svq-bundle"
VERSION = 1
MANIFEST = "manifest.json"
# Of a manifest, for the whole and for each part: bytes, and signs before which JSON has a value. An empty
# list is two bytes, and takes thirty times as many in memory.
MOST_BYTES, BYTES_OF_PART = 1 << 20, 350
MOST_VALUES, VALUES_OF_PART = 100_000, 4
PART = re.compile(
    r"rows/[A-Za-z_]+\.[A-Za-z_]+\.jsonl|vectors/[A-Za-z_]+\.[A-Za-z_]+(?:\.rows)?\.npy"
    r"|originals/[0-9]{1,19}/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}"
)
OTHER_FORM = gettext_noop("Its manifest is not as SVQ writes it.")
Count = Annotated[int, Field(ge=0, lt=2**63)]
MOST_DIMENSIONS = 16_000
Name = Annotated[str, Field(max_length=300, pattern=r"^[^\x00]*$")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Annotated[str, Field(max_length=200)]
    size: Count
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """svq: the version that wrote it. made: ISO 8601. columns: of each table, by its label. rows: how many of
    each. conversations: whether the exporter's own came along. missing: originals that the host had lost,
    by the numbers of their documents. left_out: why other tables are not in it. whole: see `hash_of`.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    format: str
    version: int
    svq: Name
    made: Name
    name: Name
    embedding_model: Name
    embedding_dimensions: Annotated[int, Field(ge=1, le=MOST_DIMENSIONS)] | None
    conversations: bool
    columns: dict[str, list[str]]
    rows: dict[str, Count]
    missing: list[int]
    left_out: dict[str, str]
    parts: list[Part]
    whole: str

    @property
    def entries(self) -> dict[str, Entry]:
        return {part.name: Entry(name=part.name, size=part.size, sha256=part.sha256) for part in self.parts}

    def written(self) -> bytes:
        return json.dumps(self.model_dump(), indent=1, ensure_ascii=False).encode() + b"\n"


def hash_of(said: Mapping[str, Any]) -> str:
    """SHA-256 of all that a manifest says but for this hash, as JSON with sorted keys and no spaces."""
    rest = {key: value for key, value in said.items() if key != "whole"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def sealed(**said: Any) -> Manifest:
    """A manifest of this version, with its hash."""
    values = {
        "format": FORMAT,
        "version": VERSION,
        "made": datetime.now().astimezone().isoformat(),
        **said,
    }
    return Manifest(**values, whole=hash_of(values))


Rows = Callable[[str, dict[str, Any]], dict[str, Any]]  # a table's label and a row: the row one version later


class Upgrade(BaseModel):
    """From one version of the form to the next. manifest: what it says then. row: each row."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    manifest: Callable[[dict[str, Any]], dict[str, Any]]
    row: Rows


UPGRADES: dict[int, Upgrade] = {}  # by the version that they begin at; the first is 1, so there is none yet


def check_size(content: bytes, parts: int) -> None:
    """Before it is parsed: whether a bundle of so many parts can have such a manifest. Raises BundleError."""
    values = sum(content.count(sign) for sign in (b"[", b"{", b","))
    if len(content) > most_bytes(parts) or values > MOST_VALUES + VALUES_OF_PART * parts:
        raise BundleError(said("Its {name} is larger than it can be.", name=MANIFEST))


def most_bytes(parts: int) -> int:
    return MOST_BYTES + BYTES_OF_PART * parts


def read_manifest(content: bytes) -> tuple[Manifest, list[Upgrade]]:
    """The manifest as this version has it, and what its rows still need. Raises BundleError."""
    try:
        stated = json.loads(content)
        version, form = stated["version"], stated["format"]
        is_sealed = stated["whole"] == hash_of(stated)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BundleError(OTHER_FORM) from error
    if form != FORMAT or not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise BundleError(OTHER_FORM)
    if version > VERSION:
        raise BundleError(
            said(
                "A newer SVQ ({version}) wrote this bundle, in a form that is not known here.",
                version=str(stated.get("svq"))[:40],
            ),
            gettext_noop("Nothing was stored. Import it with that version or a later one."),
        )
    if not is_sealed:
        raise BundleError(gettext_noop("Its manifest was altered."))
    return _read(*_upgraded(stated, version))


def _upgraded(stated: dict[str, Any], version: int) -> tuple[dict[str, Any], list[Upgrade]]:
    steps = []
    for each in range(version, VERSION):
        if each not in UPGRADES:
            raise BundleError(said("Bundles of version {version} can't be read any more.", version=str(each)))
        steps.append(UPGRADES[each])
        stated = UPGRADES[each].manifest(stated)
    return stated, steps


def _read(said: dict[str, Any], steps: list[Upgrade]) -> tuple[Manifest, list[Upgrade]]:
    try:
        manifest = Manifest.model_validate(said)
    except ValidationError as error:
        raise BundleError(OTHER_FORM) from error
    names = [part.name for part in manifest.parts]
    if len(set(names)) != len(names):
        raise BundleError(OTHER_FORM)
    for name in names:
        if not PART.fullmatch(name):
            raise BundleError(
                OTHER_FORM, detail=f"Its manifest names a part that no bundle has: {name[:100]!r}."
            )
    return manifest, steps
