"""Text recognition: pages whose words are known, drawn and then damaged, against what OCR reads of them."""

import os
import random
import re
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pypdfium2
from PIL import Image, ImageEnhance, ImageFilter
from pypdf import PdfReader, PdfWriter

from formats import PageText, SourceFile
from formats.ocr.certainty import doubtful_words
from formats.ocr.reader import RecognisedPage, ScannedPage, recognise
from formats.pdf.reader import read_pdf
from formats.plain_text.format import PLAIN_TEXT
from text.normal_forms.normal_form import normal_form
from text.normal_forms.spaceless import parts

ROOT = Path(__file__).resolve().parent.parent
FILINGS = "docugami_10q"
ENGLISH_PAGES = 1
DENSITY = 200  # dots an inch
OVERLAP = 0.5  # of two boxes, over what they cover together
LOOK = 0.05  # seconds between two looks at memory
MEGABYTE = 2**20

_EDGES = re.compile(r"^[\W_]+|[\W_]+$")

Damage = Callable[[Image.Image], Image.Image]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """box: left, top, right, bottom as parts of the page."""

    text: str
    box: tuple[float, float, float, float]


def small(picture: Image.Image) -> Image.Image:
    """As if it had been scanned at half of the density."""
    return picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)


def noisy(picture: Image.Image) -> Image.Image:
    shades = np.asarray(picture.filter(ImageFilter.GaussianBlur(1)), dtype="f4")
    shades = shades + np.random.default_rng(1).normal(0, 18, shades.shape)
    content = BytesIO()
    Image.fromarray(shades.clip(0, 255).astype("u1")).save(content, "JPEG", quality=40)
    return Image.open(BytesIO(content.getvalue()))


def pale(picture: Image.Image) -> Image.Image:
    return ImageEnhance.Brightness(ImageEnhance.Contrast(picture).enhance(0.35)).enhance(0.9)


def slanted(degrees: float) -> Damage:
    return lambda picture: picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)


def turned(degrees: int) -> Damage:
    return lambda picture: picture.rotate(degrees, expand=True)


DAMAGES: dict[str, Damage] = {
    "clean": lambda picture: picture,
    "100_dpi": small,
    "noise_blur_jpeg": noisy,
    "low_contrast": pale,
    "slanted_6_degrees": slanted(6),
    "on_its_side": turned(90),
    "upside_down": turned(180),
}
SAME_PLACES = ("clean", "100_dpi", "noise_blur_jpeg", "low_contrast", "on_its_side", "upside_down")


def run() -> dict[str, Any]:
    """By language and damage: recall of words (of characters in Chinese), share of these whose box lies on
    the true one, seconds a page; the largest memory; how many wrong and right words are called doubtful.
    """
    figures: dict[str, Any] = {}
    doubtful: Counter[tuple[bool, bool]] = Counter()
    with tempfile.TemporaryDirectory() as folder, peak_of_children() as peak:
        sets = {"english": english(Path(folder)), "chinese": chinese(Path(folder))}
        for language, path in sets.items():
            truth = [item for item in read_pdf(path) if isinstance(item, PageText)]
            for name, damage in DAMAGES.items():
                scan = scanned(path, damage, Path(folder) / f"{language}-{name}.pdf")
                begun = time.perf_counter()
                read = list(recognise(scan, [ScannedPage(number=page.number) for page in truth]))
                seconds = (time.perf_counter() - begun) / len(read)
                pairs = list(zip(truth, read, strict=True))
                figures |= of_set(f"{language}_{name}", pairs, seconds, has_places=name in SAME_PLACES)
                for page, found in pairs:
                    doubtful += told_doubtful(page, found)
                print(name, figures[f"{language}_{name}_recall"], flush=True)
    figures["peak_megabytes"] = round(peak() / MEGABYTE)
    for is_right, name in ((False, "wrong"), (True, "right")):
        told, others = doubtful[is_right, True], doubtful[is_right, False]
        figures[f"{name}_words_called_doubtful"] = round(told / max(1, told + others), 3)
    return figures


def of_set(
    name: str, pairs: list[tuple[PageText, RecognisedPage]], seconds: float, *, has_places: bool
) -> dict[str, Any]:
    recalled = wanted = placed = matched = 0
    for truth, read in pairs:
        true_words, words = words_of(truth), words_of(read.page) if read.page else []
        wanted += len(true_words)
        recalled += sum((Counter(w.text for w in true_words) & Counter(w.text for w in words)).values())
        for true, found in same_words(true_words, words):
            matched += 1
            placed += overlap(true.box, found.box) > OVERLAP
    figures: dict[str, Any] = {f"{name}_recall": round(recalled / wanted, 3)}
    if has_places:
        figures[f"{name}_boxes"] = round(placed / max(1, matched), 3)
    return figures | {f"{name}_seconds_a_page": round(seconds, 1)}


def words_of(page: PageText) -> list[Word]:
    """Of Chinese each character, of other scripts what stands between spaces; in the form in which quotes are
    compared, without punctuation.
    """
    boxes = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4) / 65535
    spans: list[tuple[int, int]] = []
    start = None
    for place, letter in enumerate(f"{page.text} "):
        if start is not None and (letter.isspace() or parts(letter) or parts(page.text[start])):
            spans.append((start, place))
            start = None
        if start is None and not letter.isspace():
            start = place
    words = []
    for first, last in spans:
        inked = boxes[first:last][boxes[first:last].any(axis=1)]
        text = _EDGES.sub("", normal_form(page.text[first:last])[0])
        if text and len(inked):
            corners = (*inked[:, :2].min(axis=0).tolist(), *inked[:, 2:].max(axis=0).tolist())
            words.append(Word(text=text, box=corners))
    return words


def same_words(true: list[Word], found: list[Word]) -> Iterator[tuple[Word, Word]]:
    matcher = SequenceMatcher(None, [w.text for w in true], [w.text for w in found], autojunk=False)
    for block in matcher.get_matching_blocks():
        yield from zip(
            true[block.a : block.a + block.size], found[block.b : block.b + block.size], strict=True
        )


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    across = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    down = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return across * down / max(areas - across * down, 1e-12)


def told_doubtful(truth: PageText, read: RecognisedPage) -> Counter[tuple[bool, bool]]:
    """How many words are right or not, and called doubtful or not."""
    if read.page is None:
        return Counter()
    right = Counter(word.text for word in words_of(truth))
    doubtful = doubtful_words(read.page.text, read.certainty)
    doubted = Counter(_EDGES.sub("", normal_form(word)[0]) for word in doubtful)
    told: Counter[tuple[bool, bool]] = Counter()
    for word in words_of(read.page):
        is_right, is_doubted = right[word.text] > 0, doubted[word.text] > 0
        right[word.text] -= is_right
        doubted[word.text] -= is_doubted
        told[is_right, is_doubted] += 1
    return told


# --- the pages -------------------------------------------------------------------------------------------
def english(folder: Path) -> Path:
    """Pages with much print: of quarterly reports where there are some, else of the samples."""
    data = os.environ.get("SVQ_BENCH_DATA")
    found = sorted((Path(data) / FILINGS).rglob("*.pdf")) if data else []
    files = found or sorted((ROOT / "samples").glob("*.pdf"))
    chosen = random.Random(7).sample(files, min(ENGLISH_PAGES, len(files)))
    writer = PdfWriter()
    for path in chosen:
        pages = PdfReader(path).pages
        full = [page for page in pages[: min(len(pages), 30)] if len(page.extract_text()) > 1500]
        writer.add_page((full or list(pages))[len(full) // 2])
    return written(writer, folder / "english.pdf")


def chinese(folder: Path) -> Path:
    source = SourceFile(path=Path(__file__).with_name("ocr_chinese.txt"), derived=folder / "derived")
    return PLAIN_TEXT.as_pdf(source)


def written(writer: PdfWriter, path: Path) -> Path:
    with path.open("wb") as file:
        writer.write(file)
    return path


def scanned(path: Path, damage: Damage, target: Path) -> Path:
    pictures = []
    for page in pypdfium2.PdfDocument(path):
        picture = damage(page.render(scale=DENSITY / 72, grayscale=True).to_pil().convert("L"))
        pictures.append(picture)
    writer = PdfWriter()
    for picture in pictures:
        content = BytesIO()
        width = 8.5 if picture.width < picture.height else 11
        picture.save(content, "PDF", resolution=picture.width / width, quality=95)
        writer.append(BytesIO(content.getvalue()))
    return written(writer, target)


@contextmanager
def peak_of_children() -> Iterator[Callable[[], int]]:
    """The largest resident memory of any child of this process so far, in bytes."""
    process, ended = psutil.Process(), threading.Event()
    peak = 0

    def look() -> None:
        nonlocal peak
        while not ended.wait(LOOK):
            for child in process.children(recursive=True):
                try:
                    peak = max(peak, child.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield lambda: peak
    finally:
        ended.set()
        thread.join()
