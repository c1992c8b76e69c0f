"""A backup folder: each content once, nothing half, nothing altered without notice, and closed to others."""

import json
import os
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pyrage
import pytest

from manage import needs_database
from svq_site.backup import making, passphrase, sealing, store
from svq_site.backup.checking import check
from svq_site.backup.errors import BackupError, Damaged
from svq_site.backup.files import check_name, secret_key_in_folder
from svq_site.backup.manifest import Area, Content, File, Manifest
from svq_site.backup.store import Store
from svq_site.management.commands.restore import about_the_key

WORDS = "correct horse battery"
TEXT = b"The fee is 4,200 euros a year."


@pytest.fixture(params=["plain", "encrypted"])
def place(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "encrypted":
        sealed = sealing.Encrypted(pyrage.x25519.Identity.generate())
        monkeypatch.setattr(store, "sealing_of", lambda folder, words: sealed)
    with store.writing(tmp_path / "backup") as made:
        yield made


def files_of(place: Store) -> list[Path]:
    return sorted(path for path in (place.folder / "contents").rglob("*") if path.is_file())


def manifest(*contents: Content, **more: Any) -> Manifest:
    files = [
        File(area=Area.DOCUMENTS, name=str(n), content=each.content, size=each.size)
        for n, each in enumerate(contents)
    ]
    given: dict[str, Any] = {
        "made": datetime(2026, 11, 28, 12, tzinfo=UTC),
        "version": "1",
        "postgres": 18,
        "dumped_by": 18,
        "migrations": [],
        "rows": {},
        "database": contents[0],
        "files": files,
        "missing": [],
        "secret_key": True,
    }
    return Manifest(**given | more)


def test_a_content_is_kept_once_and_comes_back(place: Store) -> None:
    large = bytes(range(256)) * 9000  # more than a block, and not a multiple of one
    for content in (TEXT, b"", large):
        kept = place.add(BytesIO(content))
        assert place.add(BytesIO(content)) == kept
        back = BytesIO()
        place.write(kept, back)
        assert back.getvalue() == content
        assert kept.size == len(content)
    assert len(files_of(place)) == place.added == 3
    modes = {path.stat().st_mode & 0o777 for path in files_of(place)}
    assert modes == {0o600}
    assert place.folder.stat().st_mode & 0o777 == 0o700


def test_what_was_altered_cut_off_or_swapped_is_noticed(place: Store) -> None:
    one, other = place.add(BytesIO(TEXT * 9000)), place.add(BytesIO(TEXT[::-1] * 9000))
    path, second = (next(p for p in files_of(place) if p.stem == each.content) for each in (one, other))
    whole = path.read_bytes()
    altered = bytearray(whole)
    altered[len(whole) // 2] ^= 1
    for damage in (bytes(altered), whole[:-70_000], whole + b"x", second.read_bytes(), b""):
        path.write_bytes(damage)
        with pytest.raises(Damaged):
            place.write(one)
    path.unlink()
    with pytest.raises(Damaged, match="is missing"):
        place.write(one)


def test_a_failing_source_or_target_is_told_as_what_it_is(place: Store) -> None:
    class Broken:
        def read(self, size: int = 0, /) -> bytes:
            raise FileNotFoundError("gone")

        def write(self, block: bytes, /) -> int:
            raise OSError(28, "No space left on device")

        def flush(self) -> None: ...

    with pytest.raises(FileNotFoundError, match="gone"):
        place.add(Broken())
    kept = place.add(BytesIO(TEXT))
    with pytest.raises(OSError, match="No space left"):
        place.write(kept, Broken())
    assert [path for path in place.folder.iterdir() if path.name.startswith("unfinished")] == []


def test_a_damaged_manifest_is_noticed_and_the_others_are_read(place: Store) -> None:
    kept = place.add(BytesIO(TEXT))
    first = place.add_point(manifest(kept))
    second = place.add_point(manifest(kept, made=datetime(2026, 11, 29, tzinfo=UTC)))
    assert place.manifest(second).files[0].content == kept.content
    first.path.write_bytes(first.path.read_bytes().replace(b"0", b"1", 1) + b" ")
    with pytest.raises(Damaged):
        place.manifest(first)
    assert [point.name for point in place.points()] == ["20261128T120000Z", "20261129T000000Z"]
    later = second.path.with_name(second.path.name.replace("20261129", "20261201"))
    second.path.rename(later)
    with pytest.raises(Damaged, match="under the name of a later one"):
        place.manifest(place.points()[-1])


def test_older_backups_are_forgotten_and_what_is_still_needed_stays(place: Store) -> None:
    shared, old = place.add(BytesIO(b"shared")), place.add(BytesIO(b"old"))
    place.add_point(manifest(shared, old))
    place.add_point(manifest(shared, made=datetime(2026, 11, 29, tzinfo=UTC)))
    assert making.forget_all_but(place, 5, place.points()[-1]) == 0
    assert making.forget_all_but(place, 1, place.points()[-1]) == 1
    assert [path.stem for path in files_of(place)] == [shared.content]
    (last,) = place.points()
    assert last.name == "20261129T000000Z"
    last.path.write_bytes(b"{}")
    with pytest.raises(BackupError, match=r"no older one was removed"):
        making.forget_all_but(place, 1, place.points()[-1])
    assert [path.stem for path in files_of(place)] == [shared.content]


def test_what_a_killed_process_has_left_is_removed_or_used(tmp_path: Path) -> None:
    with store.writing(tmp_path) as place:
        kept = place.add(BytesIO(TEXT))
        place.note_copied("documents/2/abc", kept)
        with (tmp_path / "copied.jsonl").open("a") as journal:
            journal.write('["documents/2/def", "12')  # cut short
    (tmp_path / "unfinished-abc").write_bytes(b"half")
    with store.writing(tmp_path) as place:
        assert place.copied() == {"documents/2/abc": kept}
        place.add_point(manifest(kept))
        assert place.copied() == {}
    assert not (tmp_path / "unfinished-abc").exists()


def test_only_one_backup_writes_into_a_folder(tmp_path: Path) -> None:
    with store.writing(tmp_path), pytest.raises(BackupError, match=r"being written.*Wait until"):
        store.writing(tmp_path).__enter__()


def test_other_folders_are_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(BackupError, match="holds files and is no backup folder"):
        store.writing(tmp_path).__enter__()
    with pytest.raises(BackupError, match="is no backup folder"):
        check(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"letter.txt", "lock"}


def test_an_encrypted_folder_tells_nothing_without_its_pass_phrase(tmp_path: Path) -> None:
    with store.writing(tmp_path, WORDS) as place:
        kept = place.add(BytesIO(TEXT))
        place.add_point(manifest(kept))
    digest = store.Hashed(source=BytesIO(TEXT))
    digest.read()
    for path in tmp_path.rglob("*"):
        assert digest.digest not in path.name
        assert not path.is_file() or TEXT not in path.read_bytes()
    with pytest.raises(BackupError, match="is encrypted"):
        store.opened(tmp_path)
    with pytest.raises(BackupError, match="pass phrase does not open"):
        store.opened(tmp_path, "another pass phrase")
    (content,) = (tmp_path / "contents").rglob("*.age")
    assert content.read_bytes().startswith(b"age-encryption.org/v1\n")  # to be read without SVQ too
    back = BytesIO()
    store.opened(tmp_path, WORDS).write(kept, back)
    assert back.getvalue() == TEXT
    (tmp_path / sealing.KEY).write_text('{"salt": "", "sealed": "", "cost": 1000000000}')
    with pytest.raises(BackupError, match="does not open"):
        store.opened(tmp_path, WORDS)


def test_a_new_folder_is_encrypted_where_a_pass_phrase_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert passphrase.to_write(tmp_path, encrypt=False) == ""
    monkeypatch.setenv("SVQ_BACKUP_PASSPHRASE", WORDS)
    assert passphrase.to_write(tmp_path, encrypt=False) == WORDS
    monkeypatch.setenv("SVQ_BACKUP_PASSPHRASE", "short")
    with pytest.raises(BackupError, match="12 characters"):
        passphrase.to_write(tmp_path, encrypt=True)
    (tmp_path / store.FORM).write_text("{}")
    with pytest.raises(BackupError, match="not encrypted"):  # nobody is left to believe that it is
        passphrase.to_write(tmp_path, encrypt=False)
    with pytest.raises(BackupError, match="not encrypted"):  # nor restored from, by somebody who expects it
        passphrase.to_read(tmp_path)
    monkeypatch.delenv("SVQ_BACKUP_PASSPHRASE")
    assert passphrase.to_write(tmp_path, encrypt=False) == passphrase.to_read(tmp_path) == ""


def test_what_is_no_file_is_damaged_and_is_not_waited_for(tmp_path: Path) -> None:
    with store.writing(tmp_path, "") as place:
        content = place.add(BytesIO(b"words"))
        path = next((tmp_path / "contents").glob("*/*"))
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(Damaged, match="is damaged"):
            place.write(content)


@pytest.mark.parametrize(
    ("area", "name"),
    [
        (Area.DOCUMENTS, "../secret_key"),
        (Area.MODELS, "/etc/passwd"),
        (Area.MODELS, "a/../../b"),
        (Area.KEYS, "authorized_keys"),
        (Area.MODELS, "."),
        (Area.DOCUMENTS, ""),
        (Area.DOCUMENTS, "7/"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(area: Area, name: str) -> None:
    with pytest.raises(BackupError, match="Nothing was changed"):
        check_name(area, name)


def test_a_newer_form_is_refused_with_words(tmp_path: Path) -> None:
    told = manifest(Content(content="0" * 64, size=1)).model_dump(mode="json")
    with pytest.raises(BackupError, match="newer form"):
        Manifest.read(json.dumps(told | {"format": 2}).encode())
    with pytest.raises(BackupError, match="newer version"):
        Manifest.read(b'{"format": 3}')
    (tmp_path / store.FORM).write_text('{"svq_backup": 2}')
    with pytest.raises(BackupError, match="newer version"):
        store.opened(tmp_path)


def test_what_to_do_about_the_key_is_told(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR, settings.SECRET_KEY = tmp_path, "in use"
    assert not secret_key_in_folder()
    (tmp_path / "secret_key").write_text("in use")
    assert secret_key_in_folder()
    assert about_the_key(in_backup=True) == ""
    assert "set it here to the same value" in about_the_key(in_backup=False)
    monkeypatch.setenv("SVQ_SECRET_KEY", "another")
    assert "unset it" in about_the_key(in_backup=True)


def test_a_folder_is_checked_without_a_database() -> None:
    assert not needs_database("backup", ["/backups/svq", "--check"])
    assert needs_database("backup", ["/backups/svq"])
    assert needs_database("restore", ["/backups/svq"])
    assert not needs_database("verify_pack", ["pack.zip"])
