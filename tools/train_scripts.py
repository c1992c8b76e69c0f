"""Learns to tell scripts apart: draws lines, damages them as scans are, and writes the weights.

`python -m tools.train_scripts PDFS FOLDER...`: a folder with PDFs, whose lines are drawn as they are, and
folders with fonts, looked through for those in SOURCES. The words in these are those of Django's
translations. Prints how many lines in held-out fonts and files are told right, then learns from all.
"""

import gettext
import io
import random
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import django
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from formats import ExtractionError, PageText
from formats.ocr import scripts
from formats.pdf.reader import page_pixels, read_pdf

LINES = 700  # of each script, for learning; a quarter as many for the test
HIDDEN = 96
ROUNDS, BATCH, RATE = 24, 512, 3e-3
PAGES_OF_A_FILE, LINES_OF_A_PAGE, LEAST_LETTERS, DENSITY = 5, 10, 8, 200 / 72
TARGET = Path(scripts.__file__).with_name("scripts.npz")
LOCALES = Path(django.__file__).parent / "conf" / "locale"

# Script: its languages, its fonts, and those of them that are held out for the test.
_SANS, _SERIF = "NotoSans[ NotoSans-Italic[ DejaVuSans-Bold.ttf DejaVuSansMono.ttf", "DejaVuSerif.ttf"
_TESTED = "NotoSerif[ DejaVuSans.ttf"
SOURCES = {
    "Latin": (
        "en de fr pl cs tr es vi",
        f"{_SANS} {_SERIF} {_TESTED} NotoSerif-Italic Vera.ttf VeraBd.ttf VeraIt.ttf",
        _TESTED,
    ),
    "Chinese or Japanese": ("zh_Hans zh_Hant ja", "NotoSansCJK-Regular.ttc", ""),
    "Korean": ("ko", "NotoSansCJK-Regular.ttc", ""),
    "Cyrillic": ("ru uk bg sr be", f"{_SANS} {_SERIF} {_TESTED}", _TESTED),
    "Greek": ("el", f"{_SANS} {_SERIF} {_TESTED}", _TESTED),
    "Hebrew": ("he", "NotoSansHebrew NotoSerifHebrew DejaVuSans.ttf", "DejaVuSans.ttf"),
    "Arabic": (
        "ar fa ur ckb ug",
        "NotoSansArabic NotoNaskhArabic Amiri-Regular Amiri-Bold.ttf DejaVuSans.ttf",
        "Amiri-Regular DejaVuSans.ttf",
    ),
    "Devanagari": ("hi mr ne", "NotoSansDevanagari NotoSerifDevanagari", "NotoSerifDevanagari"),
    "Bengali": ("bn", "NotoSansBengali", ""),
    "Tamil": ("ta", "NotoSansTamil", ""),
    "Telugu": ("te", "NotoSansTelugu", ""),
    "Thai": ("th", "NotoSansThai", ""),
}
_LETTERS = {
    "Latin": r"A-Za-zÀ-ỹ",
    "Chinese or Japanese": r"\u3040-\u30ff\u4e00-\u9fff",
    "Korean": r"\uac00-\ud7af",
    "Cyrillic": r"\u0400-\u04ff",
    "Greek": r"\u0370-\u03ff",
    "Hebrew": r"\u0590-\u05ff",
    "Arabic": r"\u0600-\u06ff",
    "Devanagari": r"\u0900-\u097f",
    "Bengali": r"\u0980-\u09ff",
    "Tamil": r"\u0b80-\u0bff",
    "Telugu": r"\u0c00-\u0c7f",
    "Thai": r"\u0e00-\u0e7f",
}

Examples = tuple[NDArray[np.float32], NDArray[np.intp], NDArray[np.intp]]


def main(pdfs: str, *folders: str) -> None:
    random.seed(5)
    np.random.seed(5)
    printed = {
        held_out: list(printed_lines(sorted(Path(pdfs).rglob("*.pdf"))[held_out::4]))
        for held_out in (0, 1, 2, 3)
    }
    fonts = [path for folder in folders for path in sorted(Path(folder).rglob("*.[to]t[fc]"))]
    learned = examples(fonts, LINES, [each for part in (1, 2, 3) for each in printed[part]], held_out=False)
    weights = learn(*learned[:2])
    also = examples(fonts, LINES // 4, printed[0], held_out=True)
    seen, script, line = also
    told = scores(weights, seen)
    names = [*SOURCES, scripts.NO_PRINT]
    confusion = np.zeros((len(names), len(names)), dtype=int)
    ahead: list[list[float]] = [[] for _ in names]
    known = [names.index(name) for name in (*scripts.KNOWN, scripts.NO_PRINT)]
    for each in np.unique(line):
        here = line == each
        mean = told[here].mean(axis=0)
        confusion[script[here][0], mean.argmax()] += 1
        ahead[script[here][0]].append(np.delete(mean, known).max() - np.logaddexp.reduce(mean[known]))
    for place, name in enumerate(names):
        right = confusion[place, place] / max(confusion[place].sum(), 1)
        wrong = {
            names[other]: int(count)
            for other, count in enumerate(confusion[place])
            if count and other != place
        }
        print(f"{name or 'no print':20} {confusion[place].sum():4} lines, {right:.3f} right {wrong or ''}")
        print(
            " " * 21 + "taken for unknown by 1, 2, 3, 4:",
            [f"{np.mean(np.array(ahead[place]) > by):.4f}" for by in (1, 2, 3, 4)],
        )
    weights = learn(np.concatenate([learned[0], also[0]]), np.concatenate([learned[1], also[1]]))
    parts = dict(zip(("first", "first_bias", "second", "second_bias"), weights, strict=True))
    stored: dict[str, Any] = {name: part.astype(np.float16) for name, part in parts.items()}
    np.savez_compressed(TARGET, names=np.array(names), **stored)


def printed_lines(paths: Sequence[Path]) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Lines of PDFs whose text is right: their script, and how they are drawn."""
    for path in paths:
        try:
            pages = [
                page for page in islice(read_pdf(path), 1 + PAGES_OF_A_FILE) if isinstance(page, PageText)
            ]
            for page in pages:
                if page.text and not page.suspect and not page.doubts:
                    yield from _lines_of(path, page)
        except ExtractionError:
            continue


def _lines_of(path: Path, page: PageText) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    drawn = page_pixels(path, page.number, round(page.width * DENSITY))
    grey = (
        np.frombuffer(drawn.rgb, np.uint8).reshape(drawn.height, drawn.width, 3).mean(axis=2).astype(np.uint8)
    )
    boxes = np.frombuffer(zlib.decompress(page.boxes), "<u2").reshape(-1, 4) / 65535
    found = list(re.finditer(r"[^\n\t]+", page.text))
    for match in random.sample(found, min(LINES_OF_A_PAGE, len(found))):
        here = boxes[match.start() : match.end()]
        here = here[here[:, 2] > here[:, 0]]
        script = next(
            (
                name
                for name, own in _LETTERS.items()
                if len(re.findall(f"[{own}]", match[0]))
                >= max(LEAST_LETTERS, 0.7 * len(re.sub(r"[\s\d]", "", match[0])))
            ),
            "",
        )
        if not script or not len(here):
            continue
        x0, y0 = (here[:, :2].min(axis=0) * (drawn.width, drawn.height)).astype(int) - random.randint(1, 5)
        x1, y1 = (here[:, 2:].max(axis=0) * (drawn.width, drawn.height)).astype(int) + random.randint(1, 5)
        part = grey[max(y0, 0) : y1, max(x0, 0) : x1]
        if min(part.shape) > 8 and part.shape[1] > 2 * part.shape[0]:
            yield script, part


def examples(
    fonts: Sequence[Path], count: int, printed: Sequence[tuple[str, NDArray[np.uint8]]], *, held_out: bool
) -> Examples:
    """Features of windows, the script of each, and the number of its line."""
    seen: list[NDArray[np.float32]] = []
    script: list[int] = []
    line: list[int] = []
    for name, part in printed:
        picture = Image.fromarray(part)
        _keep(
            seen,
            script,
            line,
            damaged(picture) if random.random() < 0.5 else picture,
            list(SOURCES).index(name),
        )
    for place, (name, (languages, wanted, tested)) in enumerate(SOURCES.items()):
        chosen = (
            (tested or wanted).split()
            if held_out
            else [one for one in wanted.split() if one not in tested.split()]
        )
        files = [path for path in fonts for start in chosen if path.name.startswith(start)]
        words = sentences(name, languages.split())
        for _ in range(count):
            picture = damaged(drawn(random.choice(words), random.choice(files), name))
            _keep(seen, script, line, picture, place)
    for _ in range(count):
        _keep(seen, script, line, no_print(), len(SOURCES))
    return np.concatenate(seen), np.array(script), np.array(line)


def _keep(
    seen: list[NDArray[np.float32]], script: list[int], line: list[int], picture: Image.Image, place: int
) -> None:
    found = scripts.features(np.asarray(picture, dtype=np.uint8))
    if found is not None:
        number = line[-1] + 1 if line else 0
        seen.append(found)
        script.extend([place] * len(found))
        line.extend([number] * len(found))


def sentences(name: str, languages: Sequence[str]) -> list[str]:
    found = []
    own = re.compile(f"[{_LETTERS[name]}]")
    for language in languages:
        folder = LOCALES / language / "LC_MESSAGES"
        if not (folder / "django.mo").exists():
            continue
        with (folder / "django.mo").open("rb") as file:
            catalogue = vars(gettext.GNUTranslations(file))["_catalog"]
        said = [each for pair in catalogue.items() for each in ([pair[0]] if language == "en" else [pair[1]])]
        for text in said:
            if not isinstance(text, str):
                continue
            plain = " ".join(
                re.sub(
                    r"%\(?\w*\)?[sd]?|[{}<>%\"“”]|[A-Za-z]+"
                    if name != "Latin"
                    else r"%\(?\w*\)?[sd]?|[{}<>%]",
                    " ",
                    text,
                ).split()
            )
            if len(own.findall(plain)) >= max(3, 0.6 * len(plain.replace(" ", ""))):
                found.append(plain)
    if name == "Latin":
        found += [each.upper() for each in random.sample(found, len(found) // 5)]
    if name in ("Cyrillic", "Greek"):
        found += [each.upper() for each in random.sample(found, len(found) // 8)]
    return found


def drawn(text: str, font: Path, name: str) -> Image.Image:
    start = random.randrange(0, max(1, len(text) - 30)) if name != "Arabic" else 0
    text = text[start : start + random.randint(8, 45)].strip()
    if random.random() < 0.15 and name not in ("Arabic", "Hebrew"):
        text += f" {random.randint(1, 2030)}"
    size = random.randint(22, 48)
    index = {"Korean": 1}.get(name, random.choice((0, 2, 3))) if font.suffix == ".ttc" else 0
    used = ImageFont.truetype(str(font), size, index=index)
    if "[" in font.name or "Variable" in font.name:
        axes = used.get_variation_axes()
        used.set_variation_by_axes(
            [
                random.choice((400, 400, 500, 700))
                if axis["name"] in (b"Weight", "Weight")
                else axis["default"] or 0
                for axis in axes
            ]
        )
    left, top, right, bottom = used.getbbox(text)
    if right - left < 8:
        return Image.new("L", (64, 32), 255)
    pad = [random.randint(0, 7) for _ in range(4)]
    picture = Image.new("L", (int(right - left) + pad[0] + pad[2], int(bottom - top) + pad[1] + pad[3]), 255)
    ImageDraw.Draw(picture).text((pad[0] - left, pad[1] - top), text, font=used, fill=random.randint(0, 60))
    return picture


def damaged(picture: Image.Image) -> Image.Image:
    if random.random() < 0.3:
        scale = random.uniform(0.4, 0.8)
        small = picture.resize(
            (max(4, int(picture.width * scale)), max(4, int(picture.height * scale))),
            Image.Resampling.BILINEAR,
        )
        picture = small.resize(picture.size, Image.Resampling.BILINEAR)
    if random.random() < 0.3:
        picture = picture.rotate(random.uniform(-1.2, 1.2), Image.Resampling.BICUBIC, fillcolor=255)
    if random.random() < 0.4:
        picture = picture.filter(ImageFilter.GaussianBlur(random.uniform(0.4, 1.3)))
    shades: NDArray[Any] = np.asarray(picture, dtype=np.float32)
    if random.random() < 0.5:
        shades = shades + np.random.normal(0, random.uniform(3, 22), shades.shape)
    if random.random() < 0.3:
        shades = 255 - (255 - shades) * random.uniform(0.35, 0.8)
    if random.random() < 0.08:
        shades = 255 - shades
    picture = Image.fromarray(shades.clip(0, 255).astype(np.uint8))
    if random.random() < 0.3:
        content = io.BytesIO()
        picture.save(content, "JPEG", quality=random.randint(25, 70))
        picture = Image.open(content)
    return picture


def no_print() -> Image.Image:
    """Noise, rules, shades, boxes: what a finder of lines may take for print."""
    size = random.randint(60, 500), random.randint(20, 48)
    picture = Image.new("L", size, 255)
    draw = ImageDraw.Draw(picture)
    kind = random.randrange(4)
    if kind == 0:
        picture = Image.effect_noise(size, random.uniform(30, 110)).filter(
            ImageFilter.GaussianBlur(random.uniform(0, 3))
        )
    elif kind == 1:
        for _ in range(random.randint(1, 8)):
            draw.line(
                [(random.randint(0, size[0]), random.randint(0, size[1])) for _ in range(2)],
                fill=0,
                width=random.randint(1, 4),
            )
    elif kind == 2:
        for _ in range(random.randint(1, 12)):
            x, y = random.randint(0, size[0]), random.randint(0, size[1])
            draw.rectangle(
                (x, y, x + random.randint(2, 60), y + random.randint(2, 40)),
                outline=0,
                fill=random.choice((None, 90, 0)),
            )
    else:
        step = random.randint(4, 14)
        for x in range(0, size[0], step):
            draw.line((x, 0, x + random.randint(-10, 10), size[1]), fill=0, width=random.randint(1, 3))
    return damaged(picture)


def learn(seen: NDArray[np.float32], script: NDArray[np.intp]) -> list[NDArray[np.float32]]:
    """Two layers, by Adam."""
    random_numbers = np.random.default_rng(7)
    kinds = len(SOURCES) + 1
    begun = [
        random_numbers.normal(0, (2 / seen.shape[1]) ** 0.5, (seen.shape[1], HIDDEN)),
        np.zeros(HIDDEN),
        random_numbers.normal(0, (2 / HIDDEN) ** 0.5, (HIDDEN, kinds)),
        np.zeros(kinds),
    ]
    weights: list[NDArray[np.float32]] = [each.astype(np.float32) for each in begun]
    means, squares = [np.zeros_like(each) for each in weights], [np.zeros_like(each) for each in weights]
    share = 1 / np.bincount(script, minlength=kinds)
    share = (share / share.mean()).astype(np.float32)
    step = 0
    for turn in range(ROUNDS):
        order = random_numbers.permutation(len(seen))
        for start in range(0, len(order), BATCH):
            here = order[start : start + BATCH]
            given, wanted = seen[here], script[here]
            inner = given @ weights[0] + weights[1]
            hidden = np.maximum(inner, 0)
            out = hidden @ weights[2] + weights[3]
            out = np.exp(out - out.max(axis=1, keepdims=True))
            out /= out.sum(axis=1, keepdims=True)
            out[np.arange(len(here)), wanted] -= 1
            out *= share[wanted][:, None] / len(here)
            back = (out @ weights[2].T) * (inner > 0)
            slopes = [given.T @ back, back.sum(axis=0), hidden.T @ out, out.sum(axis=0)]
            step += 1
            rate = RATE * (1 - turn / ROUNDS)
            for place, slope in enumerate(slopes):
                slope = slope + 1e-5 * weights[place]
                means[place] = 0.9 * means[place] + 0.1 * slope
                squares[place] = 0.999 * squares[place] + 0.001 * slope**2
                weights[place] -= (
                    rate
                    * (means[place] / (1 - 0.9**step))
                    / (np.sqrt(squares[place] / (1 - 0.999**step)) + 1e-8)
                )
    return weights


def scores(weights: Sequence[NDArray[np.float32]], seen: NDArray[np.float32]) -> NDArray[np.float32]:
    out = np.maximum(seen @ weights[0] + weights[1], 0) @ weights[2] + weights[3]
    out -= out.max(axis=1, keepdims=True)
    return np.asarray(out - np.log(np.exp(out).sum(axis=1, keepdims=True)))


if __name__ == "__main__":
    main(*sys.argv[1:])
