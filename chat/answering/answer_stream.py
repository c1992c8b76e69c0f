"""Turns the raw answer that a model is writing into shown text and checked citations, piece by piece."""

from dataclasses import dataclass

from chat.answering.history import mark
from chat.citations.match import locate
from chat.citations.parse import Tag, claim_before, parse, stable_prefix
from chat.citations.support import unsupported
from chat.models import Citation, Turn, Verdict
from datasources.models import Document
from providers.protocols import Embedder
from reader import page_images
from retrieval.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """New shown text, at its offset in characters."""

    offset: int
    text: str


def cuts_word(text: str, start: int, quote: str) -> bool:
    """Whether the quote begins or ends inside a word of the text: “able to pay” of “unable to pay”."""
    end = start + len(quote)
    return ((text[max(start - 1, 0) : start] + quote[0]).isalnum() and start > 0) or (
        end < len(text) and (quote[-1] + text[end]).isalnum()
    )


class AnswerWriter:
    """Feed it the whole raw text again and again; it gives what is new. Uses the database."""

    def __init__(self, turn: Turn, evidence: dict[str, Evidence], embedder: Embedder) -> None:
        self.turn = turn
        self.evidence = evidence
        self.embedder = embedder
        self.shown = ""
        self.citations: list[Citation] = []
        self._read = 0  # characters of the raw text that are dealt with

    def receive(self, raw: str, *, complete: bool = False) -> list[Delta | Citation]:
        """What the raw text now allows to show: text deltas and checked citations, in order.

        An unfinished tag at the end is held back until it is complete, or until nothing more comes.
        """
        stable = len(raw) if complete else stable_prefix(raw)
        new: list[Delta | Citation] = []
        for segment in parse(raw[:stable]):
            if segment.end <= self._read:
                continue
            if isinstance(segment, Tag):
                citation = self._check(raw, segment)
                new += [citation, self._show(mark(citation.n))]
            else:
                new.append(self._show(raw[max(segment.start, self._read) : segment.end]))
            self._read = segment.end
        return new

    def _show(self, text: str) -> Delta:
        delta = Delta(offset=len(self.shown), text=text)
        self.shown += text
        return delta

    def _check(self, raw: str, tag: Tag) -> Citation:
        """Locate the quote, judge it, and store the citation."""
        n = len(self.citations) + 1
        citation = Citation(turn=self.turn, n=n, claim=claim_before(raw, tag.start), written=tag.quote)
        found = self._locate(tag)
        if found is None:
            citation.verdict = Verdict.NO_SOURCE
            citation.reason = "These words are not in the documents."
        else:
            source, start, end, method, quote = found
            self._place(citation, source, start, end, quote)
            citation.location = method
            citation.reason = self._doubt(
                citation, method, cuts_word(source.text, start - source.start, quote)
            )
            citation.verdict = Verdict.NEEDS_EYE if citation.reason else Verdict.VERIFIED
        self.citations.append(citation)
        return citation

    def _doubt(self, citation: Citation, method: str, cut: bool) -> str:
        """Why a located quote is not verified; empty when it is."""
        if method == "corrected":
            return "The quote was corrected to the page's own words."
        if cut:
            return "The quote begins or ends inside a word."
        return unsupported(citation.claim, citation.quote, self.embedder)

    def _locate(self, tag: Tag) -> tuple[Evidence, int, int, str, str] | None:
        """In the passage that the model named; else in another that it was shown."""
        named = self.evidence.get(tag.key)
        others = [one for one in self.evidence.values() if one is not named]
        for source in ([named] if named else []) + others:
            located = locate(tag.quote, source.text)
            if located and (source is named or located.method != "corrected"):
                start = source.start + located.start
                return source, start, source.start + located.end, located.method, located.quote
        return None

    def _place(self, citation: Citation, source: Evidence, start: int, end: int, quote: str) -> None:
        citation.document = Document.objects.filter(pk=source.document_id).first()
        citation.document_title = source.document_title
        citation.chunk_id_hint = source.chunk_id
        citation.quote, citation.start, citation.end = quote, start, end
        if citation.document:
            boxes = page_images.place(citation.document, start, end)
            citation.boxes = {str(page): rects for page, rects in boxes.items()}
            citation.pages = list(boxes) or [source.first_page]
