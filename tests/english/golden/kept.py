"""The codes as they were."""

from pathlib import Path

FOLDER = Path(__file__).parent / "codes"


def kept(family: str) -> list[str]:
    file = FOLDER / f"{family}.txt"
    return file.read_text(encoding="utf-8").split() if file.exists() else []
