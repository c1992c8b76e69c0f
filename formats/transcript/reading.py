"""From cues to blocks: what one person says is a paragraph with its time, some minutes are a page. Pure."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from formats.base.characters import clean_text
from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.rendition.blocks import Address, Block, ListItem

MOST_CUES = 200_000
PAGE_SECONDS = 300  # about a page of speech
LONGEST_PARAGRAPH = 60  # seconds, to its last sentence
MOST_LETTERS = 5_000  # of a paragraph
SILENCE = 3.0  # seconds that part two paragraphs
# Seconds: captions roll where two are no further apart; what is shown for a shorter time, nobody says again.
TOUCHING = 0.1
_TIME = r"(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})"
_TIMES = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\n]*$", re.MULTILINE)
_NUMBER = re.compile(r"\n[ \t]*\d+[ \t]*\Z")  # of the next cue, in SubRip
_VOICE = re.compile(r"<v(?:\.[\w.-]*)?[ \t]+([^>]{1,200})>")
_TAG = re.compile(r"</?[^<>\n]{0,200}>|\{\\[^{}\n]{0,40}\}")
_BESIDE_CUES = re.compile(r"\n(?:NOTE|STYLE|REGION)\b[^\n]*(?:\n[^\n]+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """start, end: in seconds. speaker: empty where the file does not tell."""

    start: float
    end: float
    text: str
    speaker: str = ""


def blocks_of(text: str) -> Iterator[Block]:
    """Raises ExtractionError for what has no cues."""
    page = -1
    for cue in _paragraphs(cues_of(text)):
        if page != (page := int(cue.start // PAGE_SECONDS)):
            yield Address(text=f"From {clock(page * PAGE_SECONDS)} to {clock((page + 1) * PAGE_SECONDS)}")
        said = f"{cue.speaker}: {cue.text}" if cue.speaker else cue.text
        yield ListItem(text=said, label=clock(cue.start))


def cues_of(text: str) -> list[Cue]:
    """Raises ExtractionError for what has none, or too many."""
    text = _BESIDE_CUES.sub("\n", clean_text(text))
    times = list(_TIMES.finditer(text))
    if not times:
        raise ExtractionError(
            "corrupt", gettext_noop("This file is named like a transcript but tells no times.")
        )
    if len(times) > MOST_CUES:
        raise too_large("This transcript has more than {n} parts.", n=MOST_CUES)
    cues: list[Cue] = []
    before, who, until = set[str](), "", 0.0  # lines, speaker and end of the cue before
    for place, found in enumerate(times):
        end = times[place + 1].start() if place + 1 < len(times) else len(text)
        body, gap, _ = text[found.end() : end].partition("\n\n")
        if not gap and place + 1 < len(times):  # the number of the next cue stands right behind
            body = _NUMBER.sub("", body.rstrip("\n"))
        voice = _VOICE.search(body)
        lines = [" ".join(html.unescape(_TAG.sub("", line)).split()) for line in body.split("\n")]
        shown = [line for line in lines if line]
        if not shown:
            continue
        speaker = " ".join(voice[1].split()) if voice else ""
        start, stop = _seconds(found.groups()[:4]), _seconds(found.groups()[4:])
        is_rolling = speaker == who and start - until < TOUCHING  # shows lines of the one before again
        new = [line for line in shown if line not in before] if is_rolling else shown
        if not new and stop - start >= TOUCHING:
            new = shown  # said a second time
        before, who, until = set(shown), speaker, stop
        if new:
            cues.append(Cue(start=start, end=stop, text=" ".join(new), speaker=speaker))
    if not cues:
        raise ExtractionError("empty", gettext_noop("This file has no text: there is nothing to read in it."))
    return cues


def clock(seconds: float) -> str:
    """“1:04:09”."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _paragraphs(cues: list[Cue]) -> Iterator[Cue]:
    """Cues of one person joined, until a page begins, there is silence, or a sentence ends late."""
    held: list[Cue] = []
    letters = 0
    for cue in cues:
        letters += len(cue.text)
        if held and (letters > MOST_LETTERS or not _go_together(held[0], held[-1], cue)):
            yield _joined(held)
            held, letters = [], len(cue.text)
        held.append(cue)
    if held:
        yield _joined(held)


def _joined(cues: list[Cue]) -> Cue:
    return replace(cues[0], end=cues[-1].end, text=" ".join(cue.text for cue in cues))


def _go_together(first: Cue, last: Cue, cue: Cue) -> bool:
    is_late = cue.end - first.start > LONGEST_PARAGRAPH
    return (
        first.speaker == cue.speaker
        and int(first.start // PAGE_SECONDS) == int(cue.start // PAGE_SECONDS)
        and -SILENCE < cue.start - last.end < SILENCE
        and not (is_late and last.text.endswith((".", "?", "!", "…")))
        and cue.end - first.start < 2 * LONGEST_PARAGRAPH
    )


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000
