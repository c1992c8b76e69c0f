"""The kinds of claims of swaps.toml: a word or phrase of the sentence gives way to another one."""

import re
import tomllib
from pathlib import Path
from random import Random

from benchmarks.perturbations.pairs import Rewriter, rewriting
from benchmarks.perturbations.rewriting import put

_LISTS = tomllib.loads(Path(__file__).with_name("swaps.toml").read_text(encoding="utf-8"))


class Swap:
    """Replacements, and where they hold."""

    def __init__(
        self, *, both: str = "", one: str = "", skip: str = "", after: str = "", before: str = ""
    ) -> None:
        """Lists such as "up/down, rise/fall"; the others are regular expressions."""
        self.replacements = {new: old for old, new in _pairs(both)} | dict(_pairs(both)) | dict(_pairs(one))
        words = "|".join(map(re.escape, sorted(self.replacements, key=len, reverse=True)))
        self._words = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
        self._skip = re.compile(skip or "(?!)", re.IGNORECASE)
        self._after = re.compile(f"(?:{after})$")
        self._before = re.compile(before)

    def __call__(self, text: str, random: Random) -> str | None:
        """One word replaced; None where there is none, or where its counterpart stands there too."""
        if self._skip.search(text):
            return None
        fits = [match for match in self._words.finditer(text) if self._fits(text, match)]
        if not fits:
            return None
        match = random.choice(fits)
        new = self._new(match)
        assert new is not None
        return put(text, match.start(), match.end(), new)

    def _fits(self, text: str, match: re.Match[str]) -> bool:
        new = self._new(match)
        return (
            new is not None
            and not _has(text, new)
            and self._after.search(text[: match.start()]) is not None
            and self._before.match(text[match.end() :]) is not None
        )

    def _new(self, match: re.Match[str]) -> str | None:
        """None for a capital inside the sentence: there it belongs to a name."""
        word = match.group()
        return self.replacements.get(word.lower() if match.start() == 0 else word)


def _pairs(listed: str) -> list[tuple[str, str]]:
    pairs = [pair.split("/") for pair in listed.split(",") if pair.strip()]
    return [(" ".join(old.split()), " ".join(new.split())) for old, new in pairs]


def _has(text: str, word: str) -> bool:
    """In the singular or the plural."""
    either = rf"(?<!\w)(?:{re.escape(word.rstrip('s'))}|{re.escape(word)}(?:s|es)?)(?!\w)"
    return re.search(either, text, re.IGNORECASE) is not None


def _registered(name: str, listed: dict[str, str | bool]) -> Rewriter:
    flags = {flag: bool(listed.pop(flag, False)) for flag in ("faithful", "held_back")}
    swap = Swap(**{key: str(value) for key, value in listed.items()})
    return rewriting(name, **flags)(swap)


SWAPS = {name: _registered(name, dict(listed)) for name, listed in _LISTS.items()}
