"""Questions that one document seems to answer, the most promising first: none of them has been tried yet."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answering.extractive.candidates import Candidate, Passage, candidates
from english.companies import CALLS_ITSELF
from english.dates import MONTH, YEAR
from english.questions.of_sentences import SentenceQuestion, is_alike, sentence_to_questions
from english.statements import is_referring
from ingestion.models import Chunk
from text.stems import stem
from text.tables.table_lines import cells
from text.word_lists import FUNCTION_WORDS

CHUNKS = 80  # of a document that are read: the first ones, and some of the rest
FIRST_CHUNKS = 30
PROPOSALS = 12  # of one document

_ASKS = re.compile(r"(?:What|How|When|Where|Who|Why|Which|Is|Are|Do|Does|Can|May|Must|Has|Have)\b")
_OWN_QUESTION = re.compile(r"(?:^|[.:] |\d )((?:What|How|When|Where|Who|Why|Which)\b[^?.:]{10,110}\?) \S")
_AUTHORS = re.compile(
    r"(?:In this (?:paper|work|article|report|study),? )?we (?:\w+ly )?(present|propose|introduce|describe)\b"
    r"|This (?:paper|article|report|study) (present|propose|introduce|describe)s\b",
    re.IGNORECASE,
)
_DATE_HEAD = re.compile(rf"{MONTH}\.? \d{{1,2}},? {YEAR}")
_SPAN_HEAD = re.compile(r"\b\w+ (?:Weeks?|Months?|Quarters?|Years?) Ended\b", re.IGNORECASE)
_WITHIN = re.compile(r"(?<=[a-z,;] )[A-Za-z][\w’'-]*")
_LISTED = re.compile(r"arXiv|\bdoi\b|\bet al\b|https?:|\bpp?\. ?\d|Proceedings|\(\d{4}\)", re.I)
_LABEL = re.compile(r"[A-Z][a-z’'-]+(?: [a-z’'-]+){1,5}")
_YOU = re.compile(r"\byour?\b", re.IGNORECASE)
_THE_COMPANY = re.compile(rf"\b{CALLS_ITSELF}\b")
_FIGURE = re.compile(r"\d")
_GARBLED = re.compile(r"[^\w\s.,;:!?'\"“”‘’()\[\]/&%$€£¥*+–—-]|(?:\b\w\b ){4}")

# What a kind of question is worth to somebody who does not know the documents.
_WORTH = {
    "own": 3.0,
    "authors": 2.6,
    "reason": 2.5,
    "deadline": 2.4,
    "payment": 2.4,
    "condition": 2.2,
    "agent": 2.1,
    "change": 2.0,
    "date": 2.0,
    "value": 1.9,
    "definition": 1.4,
    "row": 1.2,
    "contents": 0.6,
}
_OF_THE_OWNER = ("reason", "change", "row")  # kinds whose subject may be anybody's: "net sales"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A question that the sentence `source` of a document should answer."""

    question: str
    kind: str
    document_id: int
    source: str
    worth: float


def proposals(document_id: int, title: str, chunks: Sequence[Chunk], owner: str = "") -> list[Proposal]:
    """The document's questions, the most promising first, no two alike.

    owner: the company that the document calls "the Company".
    """
    passages = [
        Passage(key=str(chunk.pk), document=title, text=chunk.text, score=0.0) for chunk in read_of(chunks)
    ]
    counts = _chunks_with(passages)
    found = [
        Proposal(
            question=owned(one, owner),
            kind=one.kind,
            document_id=document_id,
            source=part.text,
            worth=_worth(one, counts),
        )
        for part, one in parts_with_questions(passages)
    ]
    found.sort(key=lambda one: -one.worth)
    kept: list[Proposal] = []
    for one in found:
        if len(kept) < PROPOSALS and not any(is_alike(one.question, other.question) for other in kept):
            kept.append(one)
    return kept


def parts_with_questions(passages: Sequence[Passage]) -> Iterator[tuple[Candidate, SentenceQuestion]]:
    """Parts of one document's passages, each with a question that it answers."""
    written = words_within(passages)
    for part in whole_parts(passages):
        for one in _questions(part, written):
            yield part, one


def whole_parts(passages: Sequence[Passage]) -> list[Candidate]:
    """Parts that are complete and say something of substance."""
    return [
        part
        for part in candidates(passages)
        if part.whole and not part.boilerplate and not _GARBLED.search(part.text)
    ]


def _worth(one: SentenceQuestion, counts: Counter[str]) -> float:
    """More for what the document is much about; less for a long question, or one that says "you"."""
    to_somebody = bool(_YOU.search(one.question))
    return _WORTH[one.kind] + _weight(one.subject, counts) - len(one.question) / 150 - 2 * to_somebody


def owned(one: SentenceQuestion, owner: str) -> str:
    """The question with the name of the company that it is about."""
    if not owner:
        return one.question
    named = _THE_COMPANY.sub(owner, one.question)
    if named == one.question and one.kind in _OF_THE_OWNER and owner not in one.question:
        named = named.replace(one.subject, f"{owner}'s {one.subject.removeprefix('the ')}", 1)
    return named.replace(f"the {owner}'s", f"{owner}'s")


def read_of(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks that are read of a document: all of a short one."""
    rest = chunks[FIRST_CHUNKS:]
    step = max(1, math.ceil(len(rest) / (CHUNKS - FIRST_CHUNKS)))
    return [*chunks[:FIRST_CHUNKS], *rest[::step]]


def _questions(part: Candidate, written: set[str]) -> list[SentenceQuestion]:
    if part.kind == "row":
        return _of_row(part, written)
    if own := _OWN_QUESTION.search(part.text):
        if _LISTED.search(part.text) or is_referring(own[1]):
            return []
        return [SentenceQuestion(question=own[1], kind="own", subject=own[1])]
    if part.text.endswith("?"):
        return []
    if authors := _AUTHORS.match(part.text):
        return [
            SentenceQuestion(
                question=f"What do the authors {(authors[1] or authors[2]).lower()}?",
                kind="authors",
                subject="",
            )
        ]
    return list(sentence_to_questions(part.text, written))


def _of_row(part: Candidate, written: set[str]) -> list[SentenceQuestion]:
    """The first figure of a row whose columns are dates: "What were the total net sales at ...?"."""
    label, *figures = cells(part.quote)
    heads = [head.strip() for head in part.heads.split(" | ")]
    dates = [head for head in heads if _DATE_HEAD.fullmatch(head)]
    if not _LABEL.fullmatch(label) or label.split()[0].lower() not in written:
        return []
    if not dates or len(dates) != len(figures) or not _FIGURE.search(figures[0]):
        return []
    subject = label[0].lower() + label[1:]
    verb = "were" if subject.endswith("s") and not subject.endswith("ss") else "was"
    spans = [match[0].lower() for head in heads if (match := _SPAN_HEAD.search(head))]
    when = f"for the {spans[0]} {dates[0]}" if spans else f"at {dates[0]}"
    return [SentenceQuestion(question=f"What {verb} the {subject} {when}?", kind="row", subject=subject)]


def words_within(passages: Sequence[Passage]) -> set[str]:
    """Words as the document writes them within a sentence, with or without a capital."""
    return {word for passage in passages for word in _WITHIN.findall(passage.text)}


def _chunks_with(passages: Sequence[Passage]) -> Counter[str]:
    return Counter(
        word for passage in passages for word in {stem(word) for word in re.findall(r"\w+", passage.text)}
    )


def _weight(subject: str, counts: Counter[str]) -> float:
    """0 to 1: how much of the document is about the words of the subject."""
    content = [word for word in re.findall(r"\w+", subject) if word.lower() not in FUNCTION_WORDS]
    if not content:
        return 0.0
    return sum(min(1.0, math.log1p(counts[stem(word)]) / math.log(20)) for word in content) / len(content)
