"""Sentences and table rows of real documents, a corpus at a time."""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.perturbations.pairs import Sentence
from benchmarks.perturbations.rewriting import FINITE, OPENERS
from english.dates import MONTHS, WEEKDAYS
from english.quotable import parts
from formats import PageText
from formats.pdf.reader import read_pdf
from text.sentences import sentences

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
LENGTH = (7, 45)  # words
SEED = 8
_WORD = re.compile(r"[A-Za-z]+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z&-]+(?: [A-Z][A-Za-z&-]+){0,2}")
_DATES = frozenset(map(str.lower, (*MONTHS, *WEEKDAYS)))
_LETTERS = 0.7  # share of a sentence's characters that are letters or spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    name: str
    sentences: Sequence[Sentence]
    rows: Sequence[tuple[str, ...]]  # of tables: the label, then at least two figures
    held_back: bool = False


def read(folder: Path | None) -> list[Corpus]:
    """The sample documents, and whatever public collections the folder holds."""
    corpora = [_of_texts("samples", [_pages(path) for path in sorted(SAMPLES.glob("*.pdf"))])]
    if folder is None:
        return corpora
    filings = sorted((folder / "docugami_10q").glob("**/*.pdf"))
    if filings:
        corpora.append(_of_texts("filings", [_pages(path) for path in filings]))
    facts = folder / "training" / "support_facts.jsonl.gz"
    if facts.exists():
        corpora.append(_of_texts("facts", _grouped(_evidence(facts))))
    corpora += _held_back(folder)
    return corpora


def _held_back(folder: Path) -> Iterator[Corpus]:
    """Encyclopedia articles and a novel: no rule was written with them in view."""
    articles = folder / "hotpot_train" / "hotpotqa_train_corpus.json"
    if articles.exists():
        texts = ["".join(body) for body in json.loads(articles.read_text(encoding="utf-8")).values()]
        yield _of_texts("articles", texts, held_back=True)


def _pages(path: Path) -> str:
    return "\n\n".join(page.text for page in read_pdf(path) if isinstance(page, PageText))


def _evidence(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["set"] in {"fool_me_twice", "wice_claim"}:
                yield row["evidence"]


def _grouped(texts: Iterable[str], size: int = 50) -> list[str]:
    """Short texts put together, so that there are names to exchange."""
    unique = list(dict.fromkeys(texts))
    return ["\n\n".join(unique[start : start + size]) for start in range(0, len(unique), size)]


def _of_texts(name: str, texts: Sequence[str], *, held_back: bool = False) -> Corpus:
    random = Random(SEED)
    found: dict[str, Sentence] = {}
    rows: dict[tuple[str, ...], None] = {}
    for text in texts:
        for sentence in _sentences(text, random):
            found.setdefault(sentence.text, sentence)
        rows |= dict.fromkeys(_rows(text))
    shuffled = list(found.values())
    random.shuffle(shuffled)
    tables = list(rows)
    random.shuffle(tables)
    return Corpus(name=name, sentences=shuffled, rows=tables, held_back=held_back)


def _sentences(text: str, random: Random) -> Iterator[Sentence]:
    said = [
        _NUMBERED.sub("", part.text)
        for part in parts(text)
        if part.kind == "sentence" and part.whole and "\t" not in text[part.start : part.end]
    ]
    names = _names(text)
    usable = [sentence for sentence in said if is_usable(sentence)]
    for place, sentence in enumerate(said):
        if is_usable(sentence):
            before = said[place - 1] if place else ""
            following = said[place + 1] if place + 1 < len(said) else ""
            yield Sentence(
                text=sentence,
                before=before if is_usable(before) else "",
                following=following if is_usable(following) else "",
                other=random.choice(usable),
                names=names,
            )


def is_usable(text: str) -> bool:
    """Whether it is one plain sentence."""
    number = len(text.split())
    letters = sum(character.isalpha() or character == " " for character in text)
    return (
        LENGTH[0] <= number <= LENGTH[1]
        and text[0].isupper()
        and text.endswith(".")
        and letters >= _LETTERS * len(text)
        and len(sentences(text)) == 1
        and FINITE.search(text) is not None
    )


def _names(text: str) -> tuple[str, ...]:
    """Capitalised words inside sentences that the document never writes in small letters."""
    small = {word for word in _WORD.findall(text) if word.islower()}
    return tuple(
        sorted(
            {
                name
                for name in _NAME.findall(text)
                if not {word.lower() for word in re.split(r"[ &-]", name)} & (small | _DATES | OPENERS)
                and len(name) > 3
            }
        )
    )


# How a numbered clause or item begins.
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*\.?|\([a-z]\)|[-•▪])\s+(?=[A-Z\"“])")
_FIGURE = re.compile(r"\(?\$?\s?\d[\d,]*(?:\.\d+)?\)?%?$")


def _rows(text: str) -> Iterator[tuple[str, ...]]:
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("\t")]
        cells = [cell for cell in cells if cell and cell not in {"$", "%", ")", "—"}]
        figures = cells[1:]
        if len(figures) >= 2 and re.match(r"[A-Z][a-z]", cells[0]) and all(map(_FIGURE.match, figures)):
            yield tuple(cells)
