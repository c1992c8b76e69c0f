"""Fetch the browser packages of the vendor.lock.json files with the npm client and verify every byte.

static/vendor/ is for the product, tests/vendor/ for the tests alone. Run without options to re-create both
exactly as locked. After editing a version or a file list in
the lock, run with --accept once to record the new hashes, review the difference, and commit both.
"""

import argparse
import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = (ROOT / "static/vendor/vendor.lock.json", ROOT / "tests/vendor/vendor.lock.json")


def directory(vendor: Path, package: dict[str, Any]) -> Path:
    """Return where a package's files live: <name without scope>/<version>."""
    return vendor / package["name"].rpartition("/")[2] / package["version"]


def download(package: dict[str, Any], into: Path) -> Path:
    """Download one package's tarball with `npm pack` and return its path."""
    command = ["npm", "pack", "--json", "--pack-destination", str(into)]
    command.append(f"{package['name']}@{package['version']}")
    subprocess.run(command, check=True, capture_output=True, cwd=into)
    (tarball,) = into.glob("*.tgz")
    return tarball


def integrity(tarball: Path) -> str:
    """Return a tarball's hash the way npm writes it: sha512, base64."""
    return "sha512-" + base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()


def members(tarball: Path, wanted: list[str]) -> dict[str, bytes]:
    """Read the wanted paths (relative to the package) out of a tarball. KeyError when one is missing."""
    with tarfile.open(tarball) as archive:
        found = {name.partition("/")[2]: name for name in archive.getnames()}
        return {path: archive.extractfile(found[path]).read() for path in wanted}  # type: ignore[union-attr]


def install(vendor: Path, package: dict[str, Any], accept: bool) -> None:
    """Fetch one package and write its files; with accept, record what came instead of comparing it."""
    with tempfile.TemporaryDirectory() as folder:
        tarball = download(package, Path(folder))
        actual = integrity(tarball)
        contents = members(tarball, sorted(package["files"]))
    hashes = {path: hashlib.sha256(content).hexdigest() for path, content in contents.items()}
    if accept:
        package.update(integrity=actual, files=hashes)
    if package["integrity"] != actual or package["files"] != hashes:
        raise SystemExit(
            f"{package['name']} is not what the lock describes. Its files were left as they are."
        )
    shutil.rmtree(directory(vendor, package).parent, ignore_errors=True)
    for path, content in contents.items():
        target = directory(vendor, package) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"{package['name']} {package['version']}: {len(contents)} files")


def main() -> None:
    """Install every locked package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accept", action="store_true", help="record the fetched hashes in the lock")
    accept = parser.parse_args().accept
    for path in LOCKS:
        lock = json.loads(path.read_text())
        for package in lock["packages"]:
            install(path.parent, package, accept)
        if accept:
            path.write_text(json.dumps(lock, indent=1) + "\n")


if __name__ == "__main__":
    main()
