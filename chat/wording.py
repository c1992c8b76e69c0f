"""How a turn ended and what is known about a citation: the same words on pages, in files and in commands."""

import re
from typing import Any

from chat.models import Budget, Citation, Turn, TurnStatus
from chat.own_words import OWN_WORDS
from citations.choices import ConfirmedBy, OnPage, Support
from citations.unsourced import sentences_without_source
from text.counted import counted
from text.languages import name_of_language

EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
LISTED = 8  # words in a sentence
PASSAGES = "Passages that may answer"
COPIED = (
    "Copied from the documents, closest first. SVQ has not checked whether they answer the question; "
    "that is yours to judge."
)
UNPROVEN = (
    "The model gave no source for what it wrote, also when it was asked again, and SVQ found none. "
    "Nothing here proves it."
)
ON_PAGE, FILE_DELETED = "on the page", "file deleted since"
BROKEN_OFF = ("stalled", "broken_off", "cut_off")  # codes of notices
GENERAL_KNOWLEDGE = "SVQ does not answer from general knowledge."


def headline(turn: Turn) -> str:
    """The outcome of the turn, in a few words."""
    if withheld(turn):
        return "Withheld: not all of it is proven"
    if broke_off(turn):
        return "The answer broke off before its first source"
    if count_alone(turn):
        return "Counted in your documents"
    if turn.status == TurnStatus.NOT_FOUND:
        return "Not found in your documents" if turn.search.get("complete") else "No passage stood out"
    if turn.status == TurnStatus.UNPROVEN:
        return "Not proven by your documents"
    if turn.status == TurnStatus.QUOTES:
        return PASSAGES
    return turn.get_status_display()


def introduction(turn: Turn) -> str:
    """The outcome of anything but a complete answer, with what it means; empty for one."""
    if turn.status == TurnStatus.ANSWERED:
        return ""
    return " ".join(filter(None, [f"{headline(turn)}.", reason(turn)]))


def reason(turn: Turn) -> str:
    """What the headline means; of a turn that failed, why."""
    return turn.error_message if turn.status == TurnStatus.FAILED else explanation(turn)


def remarks(turn: Turn) -> list[str]:
    """What a reader must know beside the answer, each in a sentence or two."""
    bare = without_source(turn)
    return [*([f"{bare}."] if bare else []), *beside(turn)]


def place(ahead: int | None) -> str:
    """Where a question that waits stands in the queue; empty while that is not known."""
    match ahead:
        case None:
            return ""
        case 0:
            return "yours is next"
        case 1:
            return "1 question is before yours"
    return f"{counted(ahead, 'question')} are before yours"


def explanation(turn: Turn) -> str:
    """What the headline means; empty if it needs no explanation."""
    if told := withheld(turn):
        return told
    said = f"{COPIED}{_other_years(turn)}" if turn.quotes_only else ""
    if broke_off(turn):
        said = "What had come proves nothing yet. Ask again."
    elif told := count_alone(turn):
        said = told
    elif turn.status == TurnStatus.NOT_FOUND:
        said = _found_nothing(turn)
    elif turn.status == TurnStatus.UNPROVEN:
        said = UNPROVEN
    return " ".join(filter(None, [without_model(turn), said]))


def _other_years(turn: Turn) -> str:
    return f" No quote names {turn.missing}: check which year each is about." if turn.missing else ""


def without_model(turn: Turn) -> str:
    """Why no language model answered although one is connected; else empty."""
    whose = {Budget.DATASOURCE: " of this datasource", Budget.DEPLOYMENT: ""}.get(Budget(turn.stopped_by))
    if whose is None:
        return ""
    return f"The month's budget{whose} for language models is used up, so none was asked."


def broke_off(turn: Turn) -> bool:
    """Whether nothing was proven because the model's reply broke off."""
    codes = {notice["code"] for notice in turn.notices}
    return turn.status == TurnStatus.NOT_FOUND and not codes.isdisjoint(BROKEN_OFF)


def withheld(turn: Turn) -> str:
    """Why a strict datasource does not show what was written as an answer; else empty."""
    return _noticed(turn, "withheld") if turn.status == TurnStatus.NOT_FOUND else ""


def count_alone(turn: Turn) -> str:
    """The exact count where it is the whole answer, because no passage states the number; else empty."""
    return count(turn) if turn.status == TurnStatus.NOT_FOUND else ""


def count(turn: Turn) -> str:
    """The exact count, with or without an answer; empty if nothing was counted."""
    return _noticed(turn, "counted")


def documents_counted(turn: Turn) -> list[dict[str, Any]]:
    """The documents of the exact count, as in `chat.events.Notice`."""
    return [each for notice in turn.notices for each in notice.get("documents", ())]


def _noticed(turn: Turn, code: str) -> str:
    """The notice of that code; empty without one."""
    return next((str(notice["text"]) for notice in turn.notices if notice["code"] == code), "")


def beside(turn: Turn) -> list[str]:
    """What else a reader must know, such as an exact count, without what `explanation` says."""
    said = withheld(turn) or count_alone(turn)
    return [str(notice["text"]) for notice in turn.notices if notice["text"] != said]


def _found_nothing(turn: Turn) -> str:
    """Says no more than the search has shown."""
    chosen, search = turn.document_ids, turn.search
    if chosen is None:
        place, none = "the documents", "None of the documents"
    elif len(chosen) == 1:
        place, none = "the chosen document", "The chosen document"
    else:
        place = f"the {len(chosen)} chosen documents"
        none = f"None of {place}"
    said = [_searched(search, place)]
    if search.get("complete"):
        said = [
            _says_none(none, search.get("names_absent", []), alone=chosen is not None and len(chosen) == 1)
        ]
    unread = search.get("unread")
    if words := [
        word for word in search.get("words_absent", []) if word not in search.get("names_absent", [])
    ]:
        where = "what was searched" if unread else place
        these = "These words are" if len(words) > 1 else "This word is"
        said.append(f"{these} nowhere in {where}: {_listed(words)}.")
    if turn.quotes_only and turn.missing and turn.missing not in search.get("words_absent", []):
        said.append(f"No passage that was found names {turn.missing}.")
    if foreign := name_of_language(search.get("foreign", "")):
        said.append(
            f"The question looks {foreign}, and none of the documents is in {foreign}: ask in their language."
        )
    if unread:
        verb = "have" if unread > 1 else "has"
        said.append(f"{counted(unread, 'document')} {verb} not been read, or not to the end.")
    return " ".join([*said, GENERAL_KNOWLEDGE])


def _searched(search: dict[str, Any], place: str) -> str:
    """What was searched, where that proves nothing."""
    if not search.get("searched", True):
        return f"The model searched nothing. SVQ then looked for the nearest passages in {place}."
    absent = search.get("words_absent", [])
    there = [word for word in search.get("words", []) if word not in absent]
    looked = f", also for {_listed(there)} in other spellings and forms," if there else ""
    return (
        f"SVQ searched {place}{looked} and found no passage that clearly answers this. One may still do so."
    )


def _says_none(none: str, names: list[str], *, alone: bool) -> str:
    if not names:
        return f"{none} does not answer this." if alone else f"{none} answers this."
    return f"{none} {'does not name' if alone else 'names'} {_listed(names)}."


def _listed(words: list[str]) -> str:
    """The first of them, in quotation marks."""
    quoted = ", ".join(f"“{word}”" for word in words[:LISTED])
    return f"{quoted} and {len(words) - LISTED} more" if len(words) > LISTED else quoted


def work_done(searches: int, citations: int, *, quotes_only: bool) -> str:
    """The work behind an answer in a line: “Searched your documents 3 times, checked 5 quotes”."""
    times = {1: "once", 2: "twice"}.get(searches, f"{searches} times")
    done = [f"searched your documents {times}"] if searches else []
    if citations:
        verb, thing = ("picked", "passage") if quotes_only else ("checked", "quote")
        done.append(f"{verb} {counted(citations, thing)}")
    line = ", ".join(done)
    return line[:1].upper() + line[1:] or "Nothing was searched"


def unsourced(turn: Turn) -> list[str]:
    """Sentences of the answer that cite nothing; none of copied passages, which are sources themselves."""
    if turn.quotes_only or turn.status == TurnStatus.NOT_FOUND or _noticed(turn, "listed"):
        return []
    if turn.answer in OWN_WORDS:
        return []
    return sentences_without_source(turn.answer)


def without_source(turn: Turn) -> str:
    """“3 sentences without a source”, or empty."""
    sentences = len(unsourced(turn))
    return f"{counted(sentences, 'sentence')} without a source" if sentences else ""


def by_whom(citation: Citation) -> str:
    """Who confirms the claim: “checked by code”, “as the second reader qwen3:14b says”."""
    if citation.confirmed_by != ConfirmedBy.READER:
        return "checked by code"
    if citation.judge.get("writer"):
        return f"as {citation.reader}, which wrote the answer, says"
    return f"as the second reader {citation.reader} says"


def plain_claim(citation: Citation) -> str:
    return without_emphasis(citation.claim)


def without_emphasis(text: str) -> str:
    """On one line, without Markdown's emphasis."""
    return " ".join(EMPHASIS.sub("", text).split())


def statements(citation: Citation) -> str:
    """What is known of the quote and, where it was judged, its claim: “on the page; supports the claim”."""
    if citation.on_page == OnPage.ABSENT:
        return "no source found"
    about_quote = FILE_DELETED if citation.is_file_deleted else ON_PAGE
    if citation.masked:
        about_quote += f"; {' and '.join(citation.masked)} masked here"
    if citation.support == Support.NONE:
        return about_quote
    about_claim = citation.get_support_display().lower()
    if citation.support == Support.SUPPORTED:
        about_claim += f", {by_whom(citation)}"
    return f"{about_quote}; {about_claim}{f': {citation.reason}' if citation.reason else ''}"
