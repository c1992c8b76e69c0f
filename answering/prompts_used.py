"""A fingerprint of the instructions that a language model is given for an answer and its check."""

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = (
    "answering/prompts",
    "citations/prompts",
    "providers/openai/prompts",
    "retrieval/prompts",
)


@cache
def prompts_sha256() -> str:
    """SHA-256, hexadecimal, of these folders' Markdown files: of a line `<SHA-256>  <path>` for each, by
    path, as `sha256sum` prints them.
    """
    paths = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")]
    lines = [
        f"{hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}  {name}\n"
        for name in sorted(path.as_posix() for path in paths)
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
