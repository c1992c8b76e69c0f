"""Removes from a model's text what must not be shown: markup that could call a server, personal data."""

import html
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from answering.values.events import AnswerEvent, QuestionUnderstood, ToolCalled, ToolReturned, TracedEvent
from answering.values.personal_data import PersonalData, listed, masked_quote, masking_notice, remember
from citations.checked import CheckedQuote
from text.personal.personal_data import Found, Kind, find, hidden, mask, masked_in

MOST_NESTED = 8  # links within links
LONGEST_OPEN = 600  # characters of a link or an element that is waited for until it is closed
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)[^\n]+?(?<!`)\1(?!`)")
_EMBEDDED = r"<(script|style|iframe|object|svg|template)\b"
_ACTIVE = re.compile(rf"{_EMBEDDED}.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_OPEN_ACTIVE = re.compile(rf"{_EMBEDDED}(?:(?!</\1\s*>).)*$", re.IGNORECASE | re.DOTALL)
_IN_ANGLES = re.compile(r"<((?:https?|ftp|mailto|javascript|data):[^\s<>]*)>", re.IGNORECASE)
_ELEMENT = re.compile(rf"</?[A-Za-z][^<>]{{0,{LONGEST_OPEN}}}>|<[!?][^<>]{{0,{LONGEST_OPEN}}}>")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:\s*\S+[^\n]*$\n?", re.MULTILINE)
_TITLE = r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?"
_DESTINATION = rf"\(\s*(?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*){_TITLE}\s*\)"
_LINK = re.compile(rf"(?<!\\)!?\[((?:[^\[\]\n]|\[[^\[\]\n]*\]){{0,{LONGEST_OPEN}}})\]{_DESTINATION}")
_END_OF_LINK = re.compile(rf"\]{_DESTINATION}")
_SENT = re.compile(r"\b(?:https?|ftp)://([^\s<>()\[\]{}\"'`|?#]+)[^\s<>()\[\]{}\"'`|]*", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:javascript|vbscript|data):(?=\S)", re.IGNORECASE)
_OPEN = re.compile(
    r"!?\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*(?:\[[^\[\]\n]*)?$"  # a link whose words are not at their end
    r"|!?\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\](?:\((?:[^()\n]|\([^()\n]*\))*(?:\([^()\n]*)?)?$"  # ... its address
    r"|<[^<>]*$|`[^\n]*$"  # an element; code, whose end may be any backtick of its line
)
# Letters and signs of addresses that Markdown would make of an entity, or of a sign behind a backslash.
_DISGUISED = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|colon|sol|period|quest|equals|commat);|\\[:/?=#@]"
)
_WORD = re.compile(r"\S*$")
_END_OF_SENTENCE = re.compile(r".*(?:[.!?:;]\s|\n)", re.DOTALL)


@dataclass(slots=True, kw_only=True)
class Cleaner:
    """For one answer. `markup`: whether a model writes it; what documents say is quoted as it is."""

    policy: str = PersonalData.OFF
    markup: bool = True
    removed: int = 0  # links, pictures and elements
    data: dict[Kind, set[str]] = field(default_factory=lambda: defaultdict(set))  # masked, or warned of

    def stable(self, raw: str) -> int:
        """How many characters of a growing text can be cleaned whatever follows."""
        end = len(raw)
        if self.markup:
            if active := _OPEN_ACTIVE.search(raw):
                end = active.start()
            else:
                end = _WORD.search(raw, max(0, end - LONGEST_OPEN)).start()  # type: ignore[union-attr]
                opened = _OPEN.search(raw, max(0, end - LONGEST_OPEN), end)
                end = opened.start() if opened else end
        if self.policy == PersonalData.MASK:
            last = _END_OF_SENTENCE.match(raw, 0, end)
            end = last.end() if last else 0
        return end

    def prose(self, raw: str, start: int, end: int) -> str:
        """raw[start:end], which holds no citation tag, as people may see it."""
        if not self.markup:
            return self.hide(raw[start:end])
        fences = [match.start() for match in _FENCE.finditer(raw, 0, end)]
        edges = [start, *(fence for fence in fences if start < fence), end]
        in_fence = sum(fence <= start for fence in fences) % 2 == 1
        pieces = []
        for begin, stop in pairwise(edges):
            piece = raw[begin:stop]
            pieces.append(piece if in_fence else self._without_markup(piece))
            in_fence = not in_fence
        return self.hide("".join(pieces))

    def _without_markup(self, text: str) -> str:
        pieces, end = [], 0
        for code in _CODE.finditer(text):
            pieces += [self._plain(text[end : code.start()]), code[0]]
            end = code.end()
        return "".join([*pieces, self._plain(text[end:])])

    def _plain(self, text: str) -> str:
        text = _DISGUISED.sub(lambda sign: _undisguised(sign[0]), text)
        for form, instead in (
            (_ACTIVE, ""),
            (_IN_ANGLES, r"\1"),
            (_ELEMENT, ""),
            (_DEFINITION, ""),
            (_LINK, r"\1"),
            (_END_OF_LINK, "]"),
            (_SENT, r"\1"),
            (_CALLED, ""),
        ):
            for _ in range(MOST_NESTED):
                text, count = form.subn(instead, text)
                self.removed += count
                if not count:
                    break
        return text

    def hide(self, text: str) -> str:
        """The text under the policy for personal data; what it has of them is remembered."""
        if self.policy == PersonalData.OFF:
            return text
        found = self._remembered(text)
        return hidden(text, found) if self.policy == PersonalData.MASK else text

    def _remembered(self, text: str) -> Sequence[Found]:
        found = find(text)
        remember(self.data, text, found)
        return found

    def cited(self, quote: CheckedQuote) -> CheckedQuote:
        """A quote that was checked, as people may see it; its place in the document stays."""
        if self.policy == PersonalData.OFF:
            return quote
        self._remembered(quote.quote or quote.written)
        return masked_quote(quote) if self.policy == PersonalData.MASK else quote

    def judged(self, quote: CheckedQuote) -> CheckedQuote:
        """The quote with what a second opinion says of it, as people may see that."""
        if self.policy != PersonalData.MASK:
            return quote
        return replace(quote, reason=mask(quote.reason), judge=masked_in(quote.judge))

    def event(self, event: AnswerEvent) -> AnswerEvent:
        """The event without personal data that a model has put into a search."""
        if self.policy != PersonalData.MASK or not isinstance(event, TracedEvent):
            return event
        changed: dict[str, Any] = {"step": replace(event.step, text=mask(event.step.text))}
        if isinstance(event, ToolCalled):
            changed["arguments"] = masked_in(event.arguments)
        if isinstance(event, ToolReturned):
            changed["summary"] = mask(event.summary)
        if isinstance(event, QuestionUnderstood):
            changed["question"] = mask(event.question)
        return replace(event, **changed)

    @property
    def told(self) -> str:
        """What was done about personal data, for the reader; empty where there were none."""
        if not self.data:
            return ""
        if self.policy == PersonalData.MASK:
            return masking_notice(self.data)
        return f"This answer shows personal data or keys: {listed(self.data)}. Think before you pass it on."


def _undisguised(sign: str) -> str:
    """The sign itself; entities of others, such as of brackets, stay as they are."""
    plain = html.unescape(sign) if sign.startswith("&") else sign[1:]
    return plain if plain.isascii() and (plain.isalnum() or plain in ":/.?=#@%-_") else sign
