"""Items of a drive by their numbers, and the paths of the files among them. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exchange.connectors.sources.source import LONGEST_PATH

DEEPEST = 100  # folders in folders


class Homeless(Exception):
    """An item lies in a folder that was not told, so that nobody knows where."""


@dataclass(frozen=True, slots=True)
class Item:
    """name: of a file or a folder. parent: the number of its folder; "" of the drive's own. version: "" for
    what is no file.
    """

    name: str
    parent: str
    is_folder: bool = False
    version: str = ""
    size: int | None = None


def files_below(root: str, items: Mapping[str, Item]) -> Iterator[tuple[str, str, Item]]:
    """Number and path of each file in this folder and in those in it. Raises Homeless."""
    folders: dict[str, str | None] = {root: ""}
    for number, item in items.items():
        if item.version and not item.is_folder:
            below = _path_of(item.parent, items, folders)
            if below is not None:
                yield number, f"{below}{fit(item.name)}"[: LONGEST_PATH + 1], item


def _path_of(folder: str, items: Mapping[str, Item], known: dict[str, str | None]) -> str | None:
    """With a slash at its end; None for a folder that does not lie below the root."""
    way: list[str] = []
    while folder not in known:
        item = items.get(folder)
        if item is None or len(way) > DEEPEST:
            raise Homeless
        way.append(folder)
        if not item.parent:
            known[folder] = None
            way.pop()
            break
        folder = item.parent
    path = known[folder]
    for each in reversed(way):
        path = None if path is None else f"{path}{fit(items[each].name)}/"[: LONGEST_PATH + 1]
        known[each] = path
    return path


def fit(name: str) -> str:
    """As a part of a path."""
    name = "".join(sign if sign.isprintable() and sign != "/" else "_" for sign in name)
    return "_" if name in ("", ".", "..") else name
