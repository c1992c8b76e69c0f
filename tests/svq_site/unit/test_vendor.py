"""The vendored browser files are exactly what the lock names: nothing altered, missing or slipped in."""

import hashlib
import json
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VENDOR = ROOT / "static" / "vendor"
PACKAGES = json.loads((VENDOR / "vendor.lock.json").read_text())["packages"]


def locked_files() -> dict[str, str]:
    """Map each locked file's path below static/vendor to its sha256."""
    return {
        f"{package['name'].rpartition('/')[2]}/{package['version']}/{path}": digest
        for package in PACKAGES
        for path, digest in package["files"].items()
    }


def test_vendored_files_are_the_locked_ones_and_no_others() -> None:
    present = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "vendor.lock.json"
    }
    assert present == locked_files()


def test_every_package_states_its_licence_and_carries_its_text() -> None:
    for package in PACKAGES:
        assert package["licence"] in {"0BSD", "MIT", "ISC", "OFL-1.1"}
        assert any(path.startswith("LICENSE") for path in package["files"]), package["name"]
        assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", package["integrity"]), package["name"]


def test_the_lock_names_no_download_address() -> None:
    assert "://" not in (VENDOR / "vendor.lock.json").read_text()


def test_the_icon_sprite_is_built_from_the_vendored_icons() -> None:
    build = runpy.run_path(str(ROOT / "tools" / "build_icons.py"))
    assert (ROOT / "static" / "icons.svg").read_text() == build["sprite"]()


def test_templates_and_scripts_only_use_icons_that_exist() -> None:
    known = set(re.findall(r'id="([^"]+)"', (ROOT / "static" / "icons.svg").read_text()))
    icon = re.compile(r'{% icon "([a-z0-9-]+)"')
    used = {name for path in ROOT.glob("templates/**/*.html") for name in icon.findall(path.read_text())}
    assert used - known == set()
    assert "search" in used
