"""Makes stored citations again from their documents, where somebody else has written the rows: an imported
datasource's.

What this server says of a quote and its claim, and signs, is what its own code has found: of the row, only
its place in the document is read, and its words are compared with those that stand there.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext_noop

from chat.citation_rows.store import quote_of, write
from chat.models import Citation, Turn
from citations.checking import placed, with_claim_checked
from citations.choices import ConfirmedBy, OnPage, Support
from citations.claims import claim_of, is_copied
from citations.marks import MARK, without_marks
from citations.match import locate
from citations.opinion import Answers
from citations.parse import Tag, parse
from citations.place import Place, place_of
from citations.unsourced import sentences_without_source
from citations.verdict import verdict_of
from text.personal.personal_data import kinds_in
from text.words import letters

NOT_THERE = gettext_noop("These words are not where the imported file says that they are.")
NOT_FOUND = gettext_noop("These words were not found in the documents that were searched.")
MASKED_IN = gettext_noop("Words of it are masked, so the claim cannot be checked again.")
ELSEWHERE = {
    "code": "elsewhere",
    "text": "This was asked and answered on another server. Here its quotes were looked up in the documents,"
    " and nothing else of it was checked.",
    "documents": [],
}


def check_turn_again(turn: Turn) -> None:
    """All citations of the answer, and the verdict on it. What that server said beside it goes: nobody here
    knows what it has counted, noticed, compared or not found.
    """
    places = [(each, place_again(each)) for each in turn.citations.select_related("document", "turn")]
    citations = [citation for citation, _place in places]
    answer = with_each_mark_once(turn.answer, {each.n for each in citations})
    is_copy = turn.quotes_only and _is_copied(answer, [each.quote for each in citations])
    claims = {} if is_copy else claims_in(answer, {each.n: each.quote for each in citations})
    for citation, place in places:
        citation.claim = claims.get(citation.n, "")
        if place is not None and citation.claim:
            _judge_again(citation, place)
        citation.save()
    unsourced = 0 if is_copy else len(sentences_without_source(answer))
    turn.write(
        answer=answer,
        quotes_only=is_copy,
        notices=[ELSEWHERE],
        search={},
        nearest=[],
        missing="",
        differ={},
        verdict=turn.verdict
        and verdict_of([*map(quote_of, citations)], unsourced, Answers.UNKNOWN).as_json(),
    )


def with_each_mark_once(answer: str, numbers: Collection[int]) -> str:
    """Without the marks of no citation, and those behind a second sentence: a citation proves one claim."""
    left = set(numbers)

    def once(mark: re.Match[str]) -> str:
        n = int(mark[1][:9])  # a number of any length may stand there
        if n not in left:
            return ""
        left.remove(n)
        return mark[0]

    return MARK.sub(once, answer)


def claims_in(answer: str, quotes: Mapping[int, str]) -> dict[int, str]:
    """By the numbers of its citations, what a stored answer claims; what is only copied claims nothing."""
    tagged = MARK.sub(lambda mark: f"/citation[{mark[1]}]", answer)
    claims: dict[int, str] = {}
    for part in parse(tagged):
        if isinstance(part, Tag) and part.key.isdecimal() and int(part.key) in quotes:
            n = int(part.key)
            if not is_copied(tagged, replace(part, quote=quotes[n])):
                claims[n] = claim_of(tagged, part, complete=True) or ""
    return claims


def _is_copied(answer: str, quotes: Sequence[str]) -> bool:
    """Whether it says nothing but the words of its quotes."""
    copied = letters(" ".join(quotes))
    return all(letters(line) in copied for line in without_marks(answer).splitlines())


def place_again(citation: Citation) -> Place | None:
    """Put the citation where its words stand, if they do; not saved. What was said of its claim is forgotten,
    a model's opinion, too: nobody here has heard it.
    """
    citation.support, citation.confirmed_by, citation.reason = Support.NONE, ConfirmedBy.NOBODY, ""
    citation.reader, citation.checks, citation.judge = "", [], {}
    citation.before = citation.after = ""
    citation.masked = []
    if citation.on_page == OnPage.ABSENT:
        _lose(citation, NOT_FOUND)
        return None
    place = place_of(citation.document, citation.start, citation.end, citation.quote)
    if place is None:
        _lose(citation, NOT_THERE)
        return None
    given = citation.quote
    located = locate(citation.written, place.quote)
    found = replace(place, method=located.method if located else "corrected")
    write(citation, placed(quote_of(citation), found))
    if given != place.quote:
        citation.quote, citation.masked = given, [each.value for each in kinds_in(place.quote)]
        citation.on_page = OnPage.EXACT
    return place


def _judge_again(citation: Citation, place: Place) -> None:
    """What its words mean for the claim."""
    if citation.masked:
        citation.support, citation.reason = Support.NEEDS_EYE, MASKED_IN
    else:
        write(citation, with_claim_checked(quote_of(citation), place, lambda: None))


def _lose(citation: Citation, reason: str) -> None:
    citation.on_page, citation.reason = OnPage.ABSENT, reason
    citation.document, citation.document_title, citation.cited_as = None, "", ""
    citation.quote, citation.start, citation.end = "", None, None
    citation.chunk_id_hint, citation.pages, citation.boxes = None, [], {}
    citation.place_in_file = ""
