"""Messages in Outlook's own format that tests make: a compound file with streams for properties."""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count

SECTOR, SMALL, CUTOFF = 512, 64, 4096
FREE, END, OF_FAT, NOTHING = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
Tree = Mapping[str, "bytes | Tree"]
Numbers = Mapping[tuple[int, int], int]


def compound_file(tree: Tree) -> bytes:
    """An OLE file with these streams and storages."""
    entries: list[list[object]] = [["Root Entry", 5, NOTHING, NOTHING, END, b""]]
    _add(entries, 0, tree)
    small, sectors = bytearray(), bytearray()
    small_fat: list[int] = []
    fat: list[int] = []

    def kept(content: bytes) -> int:
        """In sectors of its own; the first one."""
        first, number = len(fat), -(-len(content) // SECTOR)
        fat.extend([*range(first + 1, first + number), END] if number else [])
        sectors.extend(content.ljust(number * SECTOR, b"\0"))
        return first if number else END

    for entry in entries[1:]:
        content = entry[5]
        if entry[1] != 2 or not content:
            continue
        assert isinstance(content, bytes)
        if len(content) >= CUTOFF:
            entry[4] = kept(content)
            continue
        first, number = len(small_fat), -(-len(content) // SMALL)
        small_fat.extend([*range(first + 1, first + number), END])
        small.extend(content.ljust(number * SMALL, b"\0"))
        entry[4] = first
    entries[0][4], entries[0][5] = kept(bytes(small)), bytes(small)
    packed_small_fat = struct.pack(f"<{len(small_fat)}I", *small_fat)
    padded = packed_small_fat + b"\xff" * (-len(packed_small_fat) % SECTOR)
    small_fat_at = kept(padded)
    directory = b"".join(_entry(*entry) for entry in entries)  # type: ignore[arg-type]
    directory_at = kept(directory + b"\0" * (-len(directory) % SECTOR))
    fat_at = len(fat)
    of_fat = next(n for n in count(1) if n * SECTOR // 4 >= fat_at + n)
    fat.extend([OF_FAT] * of_fat)
    sectors += struct.pack(f"<{len(fat)}I", *fat) + b"\xff" * (4 * (of_fat * SECTOR // 4 - len(fat)))
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"",
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        0,
        of_fat,
        directory_at,
        0,
        CUTOFF,
        small_fat_at,
        len(padded) // SECTOR,
        END,
        0,
        fat_at,
    )
    places = [fat_at + n for n in range(of_fat)]
    header = header[:76] + struct.pack("<109I", *places, *[FREE] * (109 - of_fat))
    return header + bytes(sectors)


def _add(entries: list[list[object]], parent: int, tree: Tree) -> None:
    last = None
    for name, inner in tree.items():
        place = len(entries)
        is_stream = isinstance(inner, bytes)
        entries.append([name, 2 if is_stream else 1, NOTHING, NOTHING, END, inner if is_stream else b""])
        if last is None:
            entries[parent][2] = place
        else:
            entries[last][3] = place
        last = place
        if not isinstance(inner, bytes):
            _add(entries, place, inner)


def _entry(name: str, kind: int, child: int, right: int, start: int, content: bytes) -> bytes:
    written = name.encode("utf-16-le") + b"\0\0"
    head = struct.pack("<64sHBBIII", written, len(written), kind, 1, NOTHING, right, child)
    return head + struct.pack("<16s4x16xIQ", b"", start, len(content))


def storage(texts: Mapping[int, str | bytes], numbers: Numbers, head: int) -> dict[str, "bytes | Tree"]:
    """Properties: texts by their numbers (bytes are binary), numbers by their kind and number."""
    fixed = b"".join(
        struct.pack("<HHIq", kind, number, 6, value) for (kind, number), value in numbers.items()
    )
    streams: dict[str, bytes | Tree] = {"__properties_version1.0": bytes(head) + fixed}
    for number, value in texts.items():
        kind, content = (0x102, value) if isinstance(value, bytes) else (0x1F, value.encode("utf-16-le"))
        streams[f"__substg1.0_{number:04X}{kind:04X}"] = content
    return streams


def message(
    texts: Mapping[int, str | bytes],
    *,
    to: Mapping[str, str] | None = None,
    cc: Mapping[str, str] | None = None,
    attached: Mapping[str, "bytes | Tree"] | None = None,
    sent: datetime | None = None,
    is_inner: bool = False,
) -> dict[str, "bytes | Tree"]:
    """to, cc: addresses and names. attached: contents by name; a tree is a message."""
    numbers = {}
    if sent:
        since = sent - datetime(1601, 1, 1, tzinfo=UTC)
        numbers[0x40, 0x39] = int(since.total_seconds()) * 10_000_000
    tree = storage(texts, numbers, 24 if is_inner else 32)
    people = [(1, *each) for each in (to or {}).items()] + [(2, *each) for each in (cc or {}).items()]
    for place, (kind, address, name) in enumerate(people):
        person = {0x3001: name, 0x39FE: address}
        tree[f"__recip_version1.0_#{place:08X}"] = storage(person, {(3, 0x0C15): kind}, 8)
    for place, (name, content) in enumerate((attached or {}).items()):
        told = {0x3707: name, 0x370E: "message/rfc822" if name.endswith(".eml") else ""}
        part = storage(told, {}, 8)
        kind = 0x102 if isinstance(content, bytes) else 0x0D
        part[f"__substg1.0_3701{kind:04X}"] = content
        tree[f"__attach_version1.0_#{place:08X}"] = part
    return tree
