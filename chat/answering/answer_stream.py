"""Turns the raw answer that a model is writing into shown text and quotations, piece by piece. Pure."""

from dataclasses import dataclass

from chat.citations.claims import claim_of
from chat.citations.parse import Quotation, Tag, parse, stable_prefix
from chat.marks import mark, unmarked


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """New shown text, at its offset in characters."""

    offset: int
    text: str


class AnswerStream:
    """Feed it the whole raw text again and again; it gives what is new."""

    def __init__(self) -> None:
        self.shown = ""  # so far, with marks where the quotations stand
        self._read = 0  # characters of the raw text that are dealt with
        self._quotations = 0

    def receive(self, raw: str, *, complete: bool = False) -> list[Delta | Quotation]:
        """What the raw text now allows to show, in order; each quotation is followed by its mark.

        An unfinished tag at the end is held back until it is complete, and until the rest of its sentence is
        known, or until nothing more comes.
        """
        stable = len(raw) if complete else stable_prefix(raw)
        new: list[Delta | Quotation] = []
        for segment in parse(raw[:stable]):
            if segment.end <= self._read:
                continue
            if isinstance(segment, Tag):
                claim = claim_of(raw[:stable], segment, complete=complete)
                if claim is None:
                    break
                self._quotations += 1
                new.append(
                    Quotation(n=self._quotations, claim=unmarked(claim), key=segment.key, quote=segment.quote)
                )
                new.append(self._show(mark(self._quotations)))
            else:
                new.append(self._show(unmarked(raw[max(segment.start, self._read) : segment.end])))
            self._read = segment.end
        return new

    def _show(self, text: str) -> Delta:
        delta = Delta(offset=len(self.shown), text=text)
        self.shown += text
        return delta
