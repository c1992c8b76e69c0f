"""Turns the raw answer that a model is writing into clean text and quotations, piece by piece. Pure."""

from dataclasses import dataclass, replace

from answering.cleaning.cleaner import Cleaner
from answering.values.personal_data import PersonalData
from citations.claims import claim_of, is_copied
from citations.marks import mark, unmarked
from citations.parse import Quotation, Tag, parse, stable_prefix


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """New shown text, at its offset in characters."""

    offset: int
    text: str


class AnswerStream:
    """Given the whole raw text so far, again and again, it returns what is new."""

    def __init__(self, cleaner: Cleaner | None = None) -> None:
        self._cleaner = cleaner or Cleaner(markup=False)
        self.shown = ""  # so far, with marks where the quotations stand
        self._read = 0  # characters of the raw text that are dealt with
        self._last_tag = 0  # where the last complete tag ends
        self._quotations = 0

    def receive(self, raw: str, *, complete: bool = False) -> list[Delta | Quotation]:
        """What can be shown of the raw text now, in order; each quotation is followed by its mark.

        An unfinished tag at the end is held back until it is complete, and until the rest of its sentence is
        known, or until nothing more comes.
        """
        stable = len(raw) if complete else self._stable(raw)
        new: list[Delta | Quotation] = []
        for segment in parse(raw[:stable], self._read):
            if isinstance(segment, Tag):
                claim = claim_of(raw[:stable], segment, complete=complete)
                if claim is None:
                    break
                claim = "" if is_copied(raw, segment) else claim
                self._quotations += 1
                new.append(
                    Quotation(
                        n=self._quotations, claim=self._claim(claim), key=segment.key, quote=segment.quote
                    )
                )
                new.append(self._show(mark(self._quotations)))
            else:
                new.append(self._show(self._cleaner.prose(unmarked(raw), segment.start, segment.end)))
            self._read = segment.end
        return new

    def _stable(self, raw: str) -> int:
        """How much of a growing text may be shown: no tag, link or telephone number is cut."""
        known = raw[: stable_prefix(raw, self._read)]
        tags = (part.end for part in parse(known, self._read) if isinstance(part, Tag))
        self._last_tag = max(tags, default=self._last_tag)
        return max(self._read, self._last_tag + self._cleaner.stable(known[self._last_tag :]))

    def _claim(self, claim: str) -> str:
        """Without markup but with personal data: it is compared with the quote before masking."""
        return replace(self._cleaner, policy=PersonalData.OFF).prose(unmarked(claim), 0, len(claim))

    def _show(self, text: str) -> Delta:
        delta = Delta(offset=len(self.shown), text=text)
        self.shown += text
        return delta
