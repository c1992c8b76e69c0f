"""Whether what is in a backup folder is what was put there."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from svq_site.backup import store
from svq_site.backup.errors import BackupError, Damaged
from svq_site.backup.manifest import Content, Manifest
from svq_site.backup.store import Point, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A backup, and what is wrong with it. manifest: None where that can't be read."""

    point: Point
    manifest: Manifest | None
    damages: list[str]


def check(folder: Path, passphrase: str = "") -> list[Checked]:
    """All backups of the folder, each content read once. Raises BackupError, OSError."""
    place = store.opened(folder, passphrase)
    read: dict[str, str] = {}
    return [_checked(place, point, read) for point in place.points()]


def _checked(place: Store, point: Point, read: dict[str, str]) -> Checked:
    try:
        manifest = place.manifest(point)
    except BackupError as error:
        return Checked(point=point, manifest=None, damages=[str(error)])
    return Checked(point=point, manifest=manifest, damages=damages(place, manifest.contents(), read))


def damages(place: Store, contents: Iterable[Content], read: dict[str, str] | None = None) -> list[str]:
    """What is wrong with these. read: what is known of contents that were read, and is added to."""
    known = {} if read is None else read
    found = []
    for content in contents:
        if content.content not in known:
            try:
                place.write(content)
                known[content.content] = ""
            except Damaged as error:
                known[content.content] = str(error)
        if words := known[content.content]:
            found.append(words)
    return found
