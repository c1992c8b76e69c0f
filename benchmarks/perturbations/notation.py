"""The sentence with its figures, dates or emphasis written in another way."""

import re
from random import Random

from benchmarks.perturbations.pairs import rewriting
from english.dates import MONTHS

WORDS = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "sixty": "60",
    "ninety": "90",
}
_YEAR = r"(?:1[5-9]|20)\d\d"


@rewriting("numbers written differently", faithful=True)
def numbers(text: str, random: Random) -> str | None:
    """1,200,000 as 1.2 million, $1.5 billion as $1,500 million, twelve as 12, 5 % as 5 percent."""
    rewrites = [_thousands, _billions, _number_words, _percent, _plain]
    random.shuffle(rewrites)
    return next((new for rewrite in rewrites if (new := rewrite(text)) != text), None)


def _thousands(text: str) -> str:
    return re.sub(
        r"(?<![\d.,])(\d{1,3}),(\d)00,000(?![\d,.])",
        lambda m: f"{m[1]}.{m[2]} million".replace(".0 ", " "),
        text,
        count=1,
    )


def _billions(text: str) -> str:
    def written(match: re.Match[str]) -> str:
        return f"{round(float(match[1]) * 1000):,} million"

    return re.sub(r"(?<![\d.,])(\d{1,3}(?:\.\d{1,3})?) billion\b", written, text, count=1)


def _number_words(text: str) -> str:
    text = re.sub(
        r"\b(\w+) \((\d{1,2})\)(?= [a-z])", lambda m: m[2] if m[1].lower() in WORDS else m[0], text, count=1
    )
    return re.sub(
        rf"(?<=[a-z] )(?:{'|'.join(WORDS)})(?= [a-z]{{3}})(?! (?:or|of|and|million|hundred))",
        lambda m: WORDS[m[0]],
        text,
        count=1,
    )


def _percent(text: str) -> str:
    if "percent" in text:
        return re.sub(r"(?<=\d) percent\b", "%", text, count=1)
    return re.sub(r"(?<=\d) ?%", " percent", text, count=1)


def _plain(text: str) -> str:
    return re.sub(r"(?<![\d.,])(\d{1,3}),(\d{3})(?![\d,])", r"\1\2", text, count=1)


@rewriting("dates written differently", faithful=True)
def dates(text: str, random: Random) -> str | None:
    new = re.sub(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), ({_YEAR})\b(?!,)", r"\2 \1 \3", text, count=1)
    if new == text:
        new = re.sub(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) ({_YEAR})\b", r"\2 \1, \3", text, count=1)
    return new if new != text else None


@rewriting("dates in figures or short months", faithful=True, held_back=True)
def dates_in_figures(text: str, random: Random) -> str | None:
    def written(match: re.Match[str]) -> str:
        day, month = (match["d1"], match["m1"]) if match["d1"] else (match["d2"], match["m2"])
        if random.random() < 0.5:
            return f"{match['y']}-{MONTHS[month]:02}-{int(day):02}"
        return f"{month[:3]} {day}, {match['y']}"

    names = "|".join(MONTHS)
    new = re.sub(
        rf"\b(?:(?P<m1>{names}) (?P<d1>\d{{1,2}}), |(?P<d2>\d{{1,2}}) (?P<m2>{names}) )(?P<y>{_YEAR})\b",
        written,
        text,
        count=1,
    )
    return new if new != text else None


@rewriting("with Markdown", faithful=True, held_back=True)
def markdown(text: str, random: Random) -> str | None:
    """A figure or a word in bold, as a bullet."""
    words = [match for match in re.finditer(r"(?<= )[\w.,$%]*\w", text) if len(match.group()) > 3]
    if not words:
        return None
    match = random.choice(words)
    return f"- {text[: match.start()]}**{match.group()}**{text[match.end() :]}"
