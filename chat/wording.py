"""How a turn ended and what is known about a citation: the same words on pages, in files and in commands.

In the language of whoever reads the page or takes the file; for programs in English.
"""

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from answering.question.own_words import OWN_WORDS
from chat import unread
from chat.models import Budget, Citation, Turn, TurnStatus
from citations.choices import ConfirmedBy, OnPage, Support
from citations.unsourced import sentences_without_source
from localization.lists import joined, quoted
from localization.numbers import numeral
from localization.stored import Said, said, told
from text.languages import language_of_question, name_of_language

JUDGED: Mapping[str, str] = {
    Support.FACTS_AGREE: gettext_noop("facts agree, wording differs"),
    Support.CONTRADICTED: gettext_noop("contradicts the claim"),
    Support.NEEDS_EYE: gettext_noop("needs your eye"),
}
EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
LISTED = 8  # words in a sentence
PASSAGES = gettext_noop("Passages that may answer")
COPIED = gettext_noop(
    "Copied from the documents, closest first. SVQ has not checked whether they answer the question; "
    "that is yours to judge."
)
UNPROVEN = gettext_noop(
    "The model gave no source for what it wrote, also when it was asked again, and SVQ found none. "
    "Nothing here proves it."
)
ON_PAGE, FILE_DELETED = gettext_noop("on the page"), gettext_noop("file deleted since")
IMPORTED = gettext_noop(
    "its text came with an imported file, and this server has not read the document itself"
)
BROKEN_OFF = ("stalled", "broken_off", "cut_off")  # codes of notices
GENERAL_KNOWLEDGE = gettext_noop("SVQ does not answer from general knowledge.")


def headline(turn: Turn) -> str:
    """The outcome of the turn, in a few words."""
    if withheld(turn):
        return _("Withheld: not all of it is proven")
    if broke_off(turn):
        return _("The answer broke off before its first source")
    if count_alone(turn):
        return _("Counted in your documents")
    if turn.status == TurnStatus.NOT_FOUND:
        return _("Not found in your documents") if turn.search.get("complete") else _("No passage stood out")
    if turn.status == TurnStatus.UNPROVEN:
        return _("Not proven by your documents")
    if turn.status == TurnStatus.QUOTES:
        return _(PASSAGES)
    return str(turn.get_status_display())


def introduction(turn: Turn) -> str:
    """The outcome of anything but a complete answer, with what it means; empty for one."""
    if turn.status == TurnStatus.ANSWERED:
        return ""
    return " ".join(filter(None, [f"{headline(turn)}.", reason(turn)]))


def reason(turn: Turn) -> str:
    """What the headline means; of a turn that failed, why."""
    return turn.why_failed if turn.status == TurnStatus.FAILED else explanation(turn)


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
            return _("yours is next")
    told = ngettext("{n} question is before yours", "{n} questions are before yours", ahead)
    return told.format(n=numeral(ahead))


def explanation(turn: Turn) -> str:
    """What the headline means; empty if it needs no explanation."""
    if told := withheld(turn):
        return told
    said = f"{_(COPIED)}{_other_years(turn)}" if turn.quotes_only else ""
    if broke_off(turn):
        said = _("What had come proves nothing yet. Ask again.")
    elif told := count_alone(turn):
        said = told
    elif turn.status == TurnStatus.NOT_FOUND:
        said = _found_nothing(turn)
    elif turn.status == TurnStatus.UNPROVEN:
        said = _(UNPROVEN)
    return " ".join(filter(None, [without_model(turn), said, _by_words_alone(turn)]))


def _by_words_alone(turn: Turn) -> str:
    """What the documents' own words are chosen by, where the model of meaning doesn't know the language."""
    is_searched = turn.status in (TurnStatus.QUOTES, TurnStatus.NOT_FOUND)
    if not (turn.quotes_only and is_searched and language_of_question(turn.question) not in ("", "en")):
        return ""
    return _(
        "Without a language model, a question that is not in English is compared by its words alone: a "
        "sentence that says the same in other words may be missed."
    )


def _other_years(turn: Turn) -> str:
    if not turn.missing:
        return ""
    told = _("No quote names {words}: check which year each is about.").format(words=turn.missing)
    return f" {told}"


def without_model(turn: Turn) -> str:
    """Why no language model answered although one is connected; else empty."""
    match Budget(turn.stopped_by):
        case Budget.DATASOURCE:
            return _(
                "The month's budget of this datasource for language models is used up, so none was asked."
            )
        case Budget.DEPLOYMENT:
            return _("The month's budget for language models is used up, so none was asked.")
    return ""


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
    """The documents of the exact count, as in `answering.values.events.Notice`."""
    counted = (notice for notice in turn.notices if notice["code"] == "counted")
    return [each for notice in counted for each in notice.get("documents", ())]


def unread_then(turn: Turn) -> str:
    """The documents that could not be searched yet when it was asked; empty where all could."""
    return next((noticed(notice) for notice in turn.notices if notice["code"] == unread.CODE), "")


def _noticed(turn: Turn, code: str) -> str:
    """The notice of that code; empty without one."""
    return next((noticed(notice) for notice in turn.notices if notice["code"] == code), "")


def beside(turn: Turn) -> list[str]:
    """What else a reader must know, such as an exact count, without what `explanation` says."""
    said = withheld(turn) or count_alone(turn)
    return [text for notice in turn.notices if (text := noticed(notice)) != said]


def noticed(notice: Mapping[str, Any]) -> str:
    """A notice of an answer in the reader's language."""
    if notice["code"] == unread.CODE:
        return unread.sentence(notice["documents"])
    return told(str(notice["text"]), notice.get("words"))


def _found_nothing(turn: Turn) -> str:
    """Says no more than the search has shown."""
    search = turn.search
    chosen = None if turn.document_ids is None else len(turn.document_ids)
    said = [_says_none(search, chosen) if search.get("complete") else _searched(search, chosen)]
    unread = search.get("unread")
    if words := [
        word for word in search.get("words_absent", []) if word not in search.get("names_absent", [])
    ]:
        said.append(_nowhere(words, chosen, all_read=not unread))
    if turn.quotes_only and turn.missing and turn.missing not in search.get("words_absent", []):
        said.append(_("No passage that was found names {words}.").format(words=turn.missing))
    if foreign := name_of_language(search.get("foreign", "")):
        told = _(
            "The question looks {language}, and none of the documents is in {language}: ask in their "
            "language."
        )
        said.append(told.format(language=_(foreign)))
    if unread:
        told = ngettext(
            "{n} document has not been read, or not to the end.",
            "{n} documents have not been read, or not to the end.",
            unread,
        )
        said.append(told.format(n=numeral(unread)))
    return " ".join([*said, _(GENERAL_KNOWLEDGE)])


def _searched(search: dict[str, Any], chosen: int | None) -> str:
    """What was searched, where that proves nothing. chosen: how many documents were, None for all."""
    absent = search.get("words_absent", [])
    there = [word for word in search.get("words", []) if word not in absent]
    if not search.get("searched", True):
        told = _nearest_alone(chosen)
    elif there:
        told = _no_clear_answer_with_spellings(chosen)
    else:
        told = _no_clear_answer(chosen)
    return told.format(n=chosen, words=quoted(there, LISTED))


def _nearest_alone(chosen: int | None) -> str:
    if chosen is None:
        return _("The model searched nothing. SVQ then looked for the nearest passages in the documents.")
    return ngettext(
        "The model searched nothing. SVQ then looked for the nearest passages in the chosen document.",
        "The model searched nothing. SVQ then looked for the nearest passages in the {n} chosen documents.",
        chosen,
    )


def _no_clear_answer_with_spellings(chosen: int | None) -> str:
    if chosen is None:
        return _(
            "SVQ searched the documents, also for {words} in other spellings and forms, and found no passage "
            "that clearly answers this. One may still do so."
        )
    return ngettext(
        "SVQ searched the chosen document, also for {words} in other spellings and forms, and found no "
        "passage that clearly answers this. One may still do so.",
        "SVQ searched the {n} chosen documents, also for {words} in other spellings and forms, and found no "
        "passage that clearly answers this. One may still do so.",
        chosen,
    )


def _no_clear_answer(chosen: int | None) -> str:
    if chosen is None:
        return _(
            "SVQ searched the documents and found no passage that clearly answers this. One may still do so."
        )
    return ngettext(
        "SVQ searched the chosen document and found no passage that clearly answers this. One may still do "
        "so.",
        "SVQ searched the {n} chosen documents and found no passage that clearly answers this. One may still "
        "do so.",
        chosen,
    )


def _says_none(search: dict[str, Any], chosen: int | None) -> str:
    """That none of the documents answers, or names what the question is about."""
    names = search.get("names_absent", [])
    if names and chosen is None:
        told = _("None of the documents names {words}.")
    elif names:
        told = ngettext(
            "The chosen document does not name {words}.",
            "None of the {n} chosen documents names {words}.",
            chosen or 0,
        )
    elif chosen is None:
        told = _("None of the documents answers this.")
    else:
        told = ngettext(
            "The chosen document does not answer this.",
            "None of the {n} chosen documents answers this.",
            chosen,
        )
    return told.format(n=chosen, words=quoted(names, LISTED))


def _nowhere(words: list[str], chosen: int | None, *, all_read: bool) -> str:
    """That the words stand nowhere. all_read: in what was chosen, else in what of it has been read."""
    if not all_read:
        told = ngettext(
            "This word is nowhere in what was searched: {words}.",
            "These words are nowhere in what was searched: {words}.",
            len(words),
        )
    elif chosen is None:
        told = ngettext(
            "This word is nowhere in the documents: {words}.",
            "These words are nowhere in the documents: {words}.",
            len(words),
        )
    elif len(words) == 1:
        told = ngettext(
            "This word is nowhere in the chosen document: {words}.",
            "This word is nowhere in the {n} chosen documents: {words}.",
            chosen,
        )
    else:
        told = ngettext(
            "These words are nowhere in the chosen document: {words}.",
            "These words are nowhere in the {n} chosen documents: {words}.",
            chosen,
        )
    return told.format(n=chosen, words=quoted(words, LISTED))


def work_done(searches: int, citations: int, *, quotes_only: bool) -> str:
    """The work behind an answer in a line: “Searched your documents 3 times, checked 5 quotes”."""
    done = [_times_searched(searches)] if searches else []
    if citations:
        if quotes_only:
            told = ngettext("picked {n} passage", "picked {n} passages", citations)
        else:
            told = ngettext("checked {n} quote", "checked {n} quotes", citations)
        done.append(told.format(n=numeral(citations)))
    line = joined(done)
    return line[:1].upper() + line[1:] or _("Nothing was searched")


def _times_searched(searches: int) -> str:
    match searches:
        case 1:
            return _("searched your documents once")
        case 2:
            return _("searched your documents twice")
    told = ngettext("searched your documents {n} time", "searched your documents {n} times", searches)
    return told.format(n=searches)


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
    told = ngettext("{n} sentence without a source", "{n} sentences without a source", sentences)
    return told.format(n=numeral(sentences)) if sentences else ""


def by_whom(citation: Citation) -> Said:
    """Who confirms the claim: “supports the claim, checked by code”."""
    if citation.confirmed_by != ConfirmedBy.READER:
        return said("supports the claim, checked by code")
    if citation.judge.get("writer"):
        return said("supports the claim, as {reader}, which wrote the answer, says", reader=citation.reader)
    return said("supports the claim, as the second reader {reader} says", reader=citation.reader)


def plain_claim(citation: Citation) -> str:
    return without_emphasis(citation.claim)


def without_emphasis(text: str) -> str:
    """On one line, without Markdown's emphasis."""
    return " ".join(EMPHASIS.sub("", text).split())


def statements(citation: Citation) -> str:
    """What is known of the quote and, where it was judged, its claim: “on the page; supports the claim”."""
    return together(remarks_on(citation))


def together(about: Iterable[str]) -> str:
    """Several remarks in a line."""
    return reduce(lambda one, other: _("{one}; {other}").format(one=one, other=other), about)


def remarks_on(citation: Citation) -> list[Said]:
    """What `statements` says, one by one; the first is about the place of the quote."""
    if citation.on_page == OnPage.ABSENT:
        return [said("no source found")]
    about = [said(FILE_DELETED if citation.is_file_deleted else ON_PAGE)]
    if citation.read_elsewhere:
        about.append(said(IMPORTED))
    if citation.masked:
        about.append(said("{what} masked here", what=[said(kind) for kind in citation.masked]))
    if citation.support != Support.NONE:
        about.append(_about_claim(citation))
    return about


def _about_claim(citation: Citation) -> Said:
    judged = by_whom(citation) if citation.support == Support.SUPPORTED else said(JUDGED[citation.support])
    if not citation.reason:
        return judged
    return said("{remark}: {reason}", remark=judged, reason=said(citation.reason))
