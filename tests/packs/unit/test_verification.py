"""Whether a pack is as it was signed: every byte counts, and hostile archives end in words."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from exchange.packs import archive, verification
from exchange.packs.archive import ArchiveWriter, BadArchive, TooLarge, read_entries
from exchange.packs.keys import BadKey, PublicKey, fingerprint_of, own_key, own_key_if_made, public_key_of
from exchange.packs.manifest import MANIFEST, SIGNATURE
from exchange.packs.verification import Expected, Outcome, verify
from tests.packs.made import FILES, archive_of, as_file, contents_of, damaged, sealed


def own() -> Expected:
    return Expected(fingerprint=own_key().fingerprint, whose="this SVQ's key")


def words(pack: bytes) -> str:
    return " ".join(check.words for check in verify(as_file(pack), own()).checks)


def test_a_pack_holds_and_any_program_can_open_it() -> None:
    pack = sealed()
    found = verify(as_file(pack), own())
    assert found.outcome == Outcome.HOLDS
    assert found.key == own_key()
    assert found.facts["title"] == "Backups"
    assert {**FILES, **contents_of(pack)} == contents_of(pack)


def test_any_byte_that_is_altered_is_noticed() -> None:
    pack = sealed()
    expected = own()
    unnoticed = [
        (at, bit)
        for at in range(len(pack))
        for bit in (1, 0x80)
        if verify(as_file(pack[:at] + bytes([pack[at] ^ bit]) + pack[at + 1 :]), expected).outcome
        != Outcome.BROKEN
    ]
    assert unnoticed == []


def test_a_byte_more_or_less_is_noticed() -> None:
    pack = sealed()
    for altered in (
        pack + b"\0",
        pack[:-1],
        b"\0" + pack,
        pack[1:],
        pack[: len(pack) // 2],
        b"",
        pack + pack,
    ):
        assert verify(as_file(altered), own()).outcome == Outcome.BROKEN


def again(change: Callable[[dict[str, bytes]], Any]) -> bytes:
    """The pack with its files changed and laid out anew, as somebody without the key can do."""
    files = contents_of(sealed())
    change(files)
    return archive_of(files)


def test_it_says_which_file_was_altered_taken_out_or_added() -> None:
    def change(files: dict[str, bytes]) -> None:
        files["pack.json"] = b"{}\n"
        del files["pictures/a1-c1-p1.png"]
        files["extra.txt"] = b"more"

    said = words(again(change))
    assert "pack.json was altered." in said
    assert "pictures/a1-c1-p1.png is missing." in said
    assert "extra.txt was added." in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda files: files.pop(MANIFEST), "It has no manifest.json"),
        (lambda files: files.pop(SIGNATURE), "It has no signature.json"),
        (lambda files: files.update({SIGNATURE: b"{}"}), "is no signature"),
        (lambda files: files.update({SIGNATURE: files[SIGNATURE] + b" "}), "is no signature"),
        (lambda files: files.update({SIGNATURE: b"[" * 900}), "is no signature"),
        (lambda files: files.update({SIGNATURE: b"x" * 5_000}), "larger than it can be"),
        (lambda files: files.update({MANIFEST: b"[" * 100_000}), "no list of files"),
        (lambda files: files.update({MANIFEST: b"\xff"}), "no list of files"),
        (
            lambda files: files.update({MANIFEST: files[MANIFEST].replace(b'"version": 1', b'"version": 2')}),
            "newer SVQ",
        ),
        (lambda files: files.update({MANIFEST: files[MANIFEST] + b"\n"}), "no list of files"),
        (
            lambda files: files.update({MANIFEST: files[MANIFEST].replace(b'"size": 46', b'"size": 47')}),
            "signature does not fit",
        ),
    ],
)
def test_what_is_no_manifest_or_signature_is_told(
    change: Callable[[dict[str, bytes]], Any], said: str
) -> None:
    assert said in words(again(change))


def test_a_pack_of_another_key_is_whole_but_not_of_this_svq(settings: Any, tmp_path: Path) -> None:
    """Whether a firm has signed it or a forger, this SVQ can't know: a state of its own."""
    expected = own()
    settings.DATA_DIR = tmp_path / "another"
    pack = sealed({"pack.json": b"{}"})
    found = verify(as_file(pack), expected)
    assert found.outcome == Outcome.OTHER_KEY
    assert f"Signed by another key than this SVQ's key. Its fingerprint is {own_key().shown}." in (
        found.checks[-1].words
    )
    assert found.key == own_key()
    altered = verify(as_file(pack.replace(b"{}", b"[]")), expected)
    assert altered.outcome == Outcome.BROKEN  # the worst of all that was found


def test_what_is_damaged_is_never_taken_for_a_pack() -> None:
    for what, pack in damaged().items():
        found = verify(as_file(pack), own())
        assert (found.outcome, found.facts) == (Outcome.BROKEN, {}), what


def test_without_a_key_to_compare_with_that_is_left_to_a_person() -> None:
    found = verify(as_file(sealed()))
    assert found.outcome == Outcome.NO_KEY
    assert own_key().shown in found.checks[-1].words


# --- hostile archives --------------------------------------------------------------------------------------
def zipped(files: list[tuple[str, bytes]], how: int = zipfile.ZIP_STORED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as made:
        for name, data in files:
            made.writestr(name, data)
    return content.getvalue()


def raw(name: bytes, content: bytes = b"", size: int | None = None) -> bytes:
    """A local header as packs have it, with any name and any size."""
    length = len(content) if size is None else size
    fixed = struct.pack(
        "<4s5H3I2H", b"PK\3\4", 20, 0, 0, 0, 0x21, zlib.crc32(content), length, length, len(name), 0
    )
    return fixed + name + content


@pytest.mark.parametrize(
    "name",
    [
        b"../evil.txt",
        b"/etc/passwd",
        b"a\\b.txt",
        b"C:evil.txt",
        b"a\0.txt",
        b"pictures/../a.txt",
        b"\xff\xfe.txt",
        b"",
        b"A.txt",
        b"x" * 300 + b".txt",
        b"a.txt\n",
        b"verify.html.",
        b"con",
    ],
)
def test_no_name_leads_anywhere(name: bytes) -> None:
    with pytest.raises(BadArchive, match="a name that no file of a pack has"):
        read_entries(as_file(raw(name)))


def test_two_files_of_a_name_are_refused() -> None:
    with pytest.raises(BadArchive, match="two files of the name"):
        read_entries(as_file(raw(b"a.txt", b"one") + raw(b"a.txt", b"two")))


@pytest.mark.parametrize(
    "hostile",
    [
        zipped([("pack.json", b"0" * 5_000_000)], zipfile.ZIP_DEFLATED),  # a bomb: nothing is unpacked
        zipped([("pack.json", b"{}")]),  # packed again by another program
        raw(b"a.txt", b"short", size=2**32 - 1),
        raw(b"a.txt", b"one")[:-1],
        b"PK\5\6" + b"\0" * 18,
        b"PK\3\4",
        b"%PDF-1.7",
    ],
)
def test_what_is_laid_out_otherwise_is_refused(hostile: bytes) -> None:
    assert verify(as_file(hostile), own()).outcome == Outcome.BROKEN


def test_too_many_files_and_too_large_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = archive_of({f"a{n}.txt": b"" for n in range(4)})
    monkeypatch.setattr(archive, "MOST_FILES", 3)
    with pytest.raises(BadArchive, match="more files than a pack can have"):
        read_entries(as_file(many))
    monkeypatch.setattr(archive, "MOST_BYTES", 1_000)
    with pytest.raises(BadArchive, match="larger than a pack can be"):
        read_entries(as_file(b"\0" * 1_001))


@given(st.binary(max_size=200))
def test_any_bytes_end_in_words(data: bytes) -> None:
    for hostile in (data, b"PK\3\4" + data, raw(b"a.txt", data)):
        assert verify(as_file(hostile), Expected(fingerprint="", whose="")).outcome == Outcome.BROKEN


def test_facts_that_are_none_are_left_out() -> None:
    for facts in (b"[" * 100_000, b"[]", b"\xff"):
        found = verify(as_file(sealed({verification.FACTS: facts})), own())
        assert (found.outcome, found.facts) == (Outcome.HOLDS, {})


def test_a_pack_is_written_with_its_own_names_only() -> None:
    writer = ArchiveWriter(io.BytesIO())
    writer.add("a.txt", b"")
    for name in ("a.txt", "../b.txt", "B.txt"):
        with pytest.raises(ValueError, match="cannot be in a pack"):
            writer.add(name, b"")


def test_a_pack_is_never_written_larger_than_one_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    full = archive_of({"a.txt": b"x" * 500, "b.txt": b"x" * 300})
    monkeypatch.setattr(archive, "MOST_BYTES", len(full))
    assert archive_of({"a.txt": b"x" * 500, "b.txt": b"x" * 300}) == full
    assert [entry.name for entry in read_entries(as_file(full))] == ["a.txt", "b.txt"]
    with pytest.raises(TooLarge):
        archive_of({"a.txt": b"x" * 500, "b.txt": b"x" * 301})
    monkeypatch.setattr(archive, "MOST_FILES", 1)
    with pytest.raises(TooLarge):
        archive_of({"a.txt": b"", "b.txt": b""})


# --- the key -----------------------------------------------------------------------------------------------
def test_the_key_is_made_once_for_its_owner_alone(data_dir: Path) -> None:
    assert own_key_if_made() is None
    assert not data_dir.exists()
    key = own_key()
    assert own_key() == key == own_key_if_made()
    assert (data_dir / "signing_key").stat().st_mode & 0o077 == 0
    assert public_key_of(key.pem.encode()) == key
    assert fingerprint_of(key.shown.upper()) == key.fingerprint


def test_a_key_of_the_environment_is_taken(settings: Any, data_dir: Path) -> None:
    settings.SIGNING_KEY = b"\1" * 32
    assert verify(as_file(sealed()), own()).outcome == Outcome.HOLDS
    assert not data_dir.exists()


def test_a_key_that_was_damaged_is_never_replaced(data_dir: Path) -> None:
    own_key()
    (data_dir / "signing_key").write_text("nonsense")
    with pytest.raises(ImproperlyConfigured, match="Put back the one that was there"):
        own_key()


def test_what_is_no_key_is_told() -> None:
    for text in (b"", b"nonsense", own_key().raw):
        with pytest.raises(BadKey):
            public_key_of(text)
    with pytest.raises(BadKey):
        fingerprint_of("1234")
    assert not PublicKey(b"\0" * 31).has_signed(b"", b"")
