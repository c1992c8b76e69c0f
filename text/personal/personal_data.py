"""Personal data and secrets in a text: addresses, telephones, accounts, cards, identities, keys. Pure.

A number without a form of its own counts only behind a word that says what it is: contracts and accounts are
full of numbers.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any

import phonenumbers
from stdnum import iban, luhn

from text.normal_forms.as_read import AsRead, as_read
from text.personal.email_addresses import email_addresses
from text.personal.pass_codes import pass_codes

_EMPHASIS = re.compile(r"[*_~`]+")
CUE = 48  # characters before a number in which a word may say what it is


class Kind(StrEnum):
    """In the words of a sentence."""

    EMAIL = "e-mail address"
    PHONE = "telephone number"
    IBAN = "bank account number"
    CARD = "card number"
    IDENTITY = "identity number"
    SECRET = "key or password"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """text[start:end] is such data."""

    start: int
    end: int
    kind: Kind


def find(text: str) -> list[Found]:
    """In order; no two overlap. Looked for as it is written, and as it is read once Markdown is gone."""
    read = as_read(text)
    found = _find(text)
    if read.text != text:
        found += [_as_written(text, read, each) for each in _find(read.text)]
    joined: list[Found] = []
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        if joined and each.start < joined[-1].end:
            joined[-1] = replace(joined[-1], end=max(joined[-1].end, each.end))
        else:
            joined.append(each)
    return joined


def _as_written(text: str, read: AsRead, found: Found) -> Found:
    """With the signs that end an emphasis which begins within it."""
    start, end = read.starts[found.start], read.ends[found.end - 1]
    if _EMPHASIS.search(text, start, end):
        closed = _EMPHASIS.match(text, end)
        end = closed.end() if closed else end
    return Found(start=start, end=end, kind=found.kind)


def _find(text: str) -> list[Found]:
    taken: list[Found] = []  # in order
    for search in (_secrets, _emails, _ibans, _cards, _identities, _codes, _phones):
        for found in search(text):
            place = bisect(taken, found.start, key=attrgetter("start"))
            before, after = taken[max(0, place - 1) : place], taken[place : place + 1]
            if all(each.end <= found.start for each in before) and all(
                found.end <= each.start for each in after
            ):
                taken.insert(place, found)
    return taken


def counted(kind: Kind, count: int) -> str:
    """“2 e-mail addresses”."""
    if count == 1:
        return f"1 {kind}"
    plural = "keys or passwords" if kind == Kind.SECRET else f"{kind}{'es' if kind.endswith('s') else 's'}"
    return f"{count} {plural}"


def kinds_in(text: str) -> list[Kind]:
    """The kinds of such data in it, each once."""
    return list(dict.fromkeys(each.kind for each in find(text)))


def mask(text: str) -> str:
    """The text with words in the place of such data."""
    return hidden(text, find(text))


def masked_in(value: Any) -> Any:
    """JSON with all texts masked."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {key: masked_in(each) for key, each in value.items()}
    return [masked_in(each) for each in value] if isinstance(value, list | tuple) else value


def hidden(text: str, found: Sequence[Found]) -> str:
    """The text with words in the place of what was found in it, in order."""
    parts, end = [], 0
    for each in found:
        parts += [text[end : each.start], f"‹{each.kind} masked›"]
        end = each.end
    return "".join([*parts, text[end:]])


# --- secrets and addresses ---------------------------------------------------------------------------------
_TOKENS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_\w{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{18,}"
    r"|\bsk-(?:ant-|proj-)?[\w-]{20,}|\b[spr]k_(?:live|test)_\w{10,}|\bxox[abeoprs]-[\w-]{10,}|\bAIza[\w-]{35}"
    r"|\bhf_[A-Za-z]{30,}|\bnpm_\w{30,}|\bSG\.[\w-]{16,}\.[\w-]{30,}|\bya29\.[\w-]{20,}"
    r"|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}",
    re.DOTALL,
)
_NAMED_SECRET = re.compile(
    r"(?<![A-Za-z])(?:pass(?:word|phrase|wd|code)|passwort|kennwort|mot de passe|contraseña|pwd|api[ _-]?key"
    r"|secret(?:[ _-]?(?:access[ _-]?)?key)?|(?:access|auth|bearer|refresh)[ _-]?token"
    r"|client[ _-]?secret|private[ _-]?key)"
    r"\b[\"']?"
    r"(?:\s{1,9}(?:is|ist|lautet|est|es)\s{0,9}:?|\s{0,9}(?::=|=>|[:=])"
    r"|\s(?=\w{6,60}(?:[\s.,;]|$))(?=\w{0,60}\d)(?=\w{0,60}[A-Za-z]))"  # without a sign: letters and figures
    r"\s{0,9}[\"'“„`]?(?P<secret>[^\s\"'“”`,;]{6,})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\bBearer\s+(?P<secret>[\w.~+/=-]{20,})")
_IN_ADDRESS = re.compile(r"://[^\s/:@]+:(?P<secret>[^\s/:@]{3,})@")
_SAYS_NOTHING = re.compile(r"[a-z]+[.)]*|[*•xX.…]+|<.*>|\{.*\}|\[.*", re.DOTALL)  # a word, or a place for one


def _secrets(text: str) -> Iterator[Found]:
    for match in _TOKENS.finditer(text):
        yield Found(start=match.start(), end=match.end(), kind=Kind.SECRET)
    for form in (_NAMED_SECRET, _BEARER, _IN_ADDRESS):
        for match in form.finditer(text):
            value = match["secret"].rstrip(".)")
            if not _SAYS_NOTHING.fullmatch(value):
                yield Found(
                    start=match.start("secret"), end=match.start("secret") + len(value), kind=Kind.SECRET
                )


def _codes(text: str) -> Iterator[Found]:
    for start, end in pass_codes(text):
        yield Found(start=start, end=end, kind=Kind.SECRET)


def _emails(text: str) -> Iterator[Found]:
    for start, end in email_addresses(text):
        yield Found(start=start, end=end, kind=Kind.EMAIL)


# --- accounts and cards ------------------------------------------------------------------------------------
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z]{2}\d{2}(?:[ \u00a0.-]?[A-Z0-9]){10,32}|[a-z]{2}\d{2}(?:[ .-]?[a-z0-9]){10,32})"
)
_CARD = re.compile(r"(?<![\d.,/-])\d(?:[ .\n-]?\d){12,18}(?![\d/-]|[.,]\d)")
_CARD_GROUPS = re.compile(r"\d{13,19}|\d{4}([ .\n-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ .\n-])\d{6}\2\d{4,5}")
# Beginnings of numbers by issuer, with the lengths that it gives.
_ISSUERS = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"6011|65|64[4-9]"), (16, 19)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16,)),
    (re.compile(r"3(?:0[0-5]|[68])"), (14,)),
    (re.compile(r"62"), (16, 17, 18, 19)),
)


def _ibans(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        written = match[0]
        for end in range(len(written), 14, -1):  # what follows may be in capitals too
            if written[end - 1].isalnum() and _is_iban(written[:end]):
                yield Found(start=match.start(), end=match.start() + end, kind=Kind.IBAN)
                break


def _is_iban(written: str) -> bool:
    """By the length and form of its country and its check digits; banks know what else there is to know."""
    return bool(iban.is_valid(re.sub(r"[\u00a0.]", " ", written), check_country=False))


def _cards(text: str) -> Iterator[Found]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        issued = any(begin.match(digits) and len(digits) in lengths for begin, lengths in _ISSUERS)
        if issued and _CARD_GROUPS.fullmatch(match[0]) and len(set(digits)) > 1 and luhn.is_valid(digits):
            yield Found(start=match.start(), end=match.end(), kind=Kind.CARD)


# --- identities --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Identity:
    """A number that a state gives to people: how it is written, who checks it, and which word must announce
    it, where its form alone does not tell.
    """

    form: str
    check: str = ""  # a module of stdnum
    cue: str = ""


_IDENTITIES = (
    _Identity(form=r"\d{3}-\d{2}-\d{4}", check="us.ssn"),
    _Identity(form=r"\d{9}", check="us.ssn", cue=r"\bSSN\b|social security"),
    _Identity(
        form=r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]"
    ),
    _Identity(form=r"\d{3} ?\d{3} ?\d{4}", check="gb.nhs", cue=r"\bNHS\b"),
    _Identity(form=r"\d{2} ?\d{3} ?\d{3} ?\d{3}", check="de.idnr", cue=r"steuer|\bIdNr|\bTIN\b|tax id"),
    _Identity(form=r"[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}", check="fr.nir"),
    _Identity(form=r"\d{8}-?[A-Z]", check="es.dni"),
    _Identity(form=r"[XYZ]-?\d{7}-?[A-Z]", check="es.nie"),
    _Identity(form=r"[A-Z]{6}\d[\dLMNPQRSTUV][A-Z]\d[\dLMNPQRSTUV][A-Z]\d{3}[A-Z]", check="it.codicefiscale"),
    _Identity(form=r"\d{9}|\d{4}[. ]\d{2}[. ]\d{3}", check="nl.bsn", cue=r"\bBSN\b|burgerservice|sofi"),
    _Identity(form=r"\d{11}", check="pl.pesel", cue=r"pesel"),
    _Identity(form=r"(?:\d{2})?\d{6}[-+]\d{4}", check="se.personnummer"),
    _Identity(form=r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", check="fi.hetu"),
    _Identity(form=r"\d{6}-\d{4}", check="dk.cpr"),
    _Identity(form=r"\d{6} ?\d{5}", check="no.fodselsnummer"),
    _Identity(form=r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}", check="ch.ssn"),
    _Identity(form=r"\d{4} ?\d{6}", check="at.vnr", cue=r"\bSV|sozialversicherung"),
    _Identity(form=r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", check="be.nn"),
    _Identity(form=r"\d{7}[A-W][A-IW]?", check="ie.pps", cue=r"\bPPS"),
    _Identity(form=r"\d{9}", check="pt.nif", cue=r"\bNIF\b|contribuinte"),
    _Identity(form=r"\d{13}", check="ro.cnp", cue=r"\bCNP\b"),
    _Identity(form=r"\d{6}/\d{3,4}", check="cz.rc"),
    _Identity(form=r"\d{11}", check="hr.oib", cue=r"\bOIB\b"),
    _Identity(form=r"\d{11}", check="tr.tckimlik", cue=r"kimlik|\bT\.?C\.?\b"),
    _Identity(form=r"\d{3}\.\d{3}\.\d{3}-\d{2}", check="br.cpf"),
    _Identity(form=r"\d{3}[ -]\d{3}[ -]\d{3}|\d{9}", check="ca.sin", cue=r"\bSIN\b|social insurance"),
    _Identity(form=r"\d{3} ?\d{3} ?\d{3}", check="au.tfn", cue=r"\bTFN\b|tax file"),
    _Identity(form=r"\d{4} ?\d{4} ?\d{4}", check="in_.aadhaar", cue=r"aadhaar|\bUID"),
    _Identity(form=r"[A-Z]{5}\d{4}[A-Z]", check="in_.pan", cue=r"\bPAN\b|permanent account"),
    _Identity(form=r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d", check="mx.curp"),
    _Identity(form=r"\d{17}[\dX]", check="cn.ric"),
    _Identity(form=r"\d{6}-[1-8]\d{6}", check="kr.rrn"),
    _Identity(form=r"\d{13}|\d{6} \d{4} \d{3}", check="za.idnr", cue=r"identity|\bID\b"),
)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], re.Pattern[str] | None, Callable[[str], bool]], ...]:
    """Form, cue and check of each, loaded when they are first needed."""
    return tuple(
        (
            re.compile(rf"(?<![\w.,/-])(?:{each.form})(?![\w/-]|[.,]\d)"),
            re.compile(each.cue, re.IGNORECASE) if each.cue else None,
            import_module(f"stdnum.{each.check}").is_valid if each.check else lambda number: True,
        )
        for each in _IDENTITIES
    )


def _identities(text: str) -> Iterator[Found]:
    if not any(map(str.isdigit, text)):
        return
    for form, cue, is_valid in _forms():
        for match in form.finditer(text):
            announced = cue is None or cue.search(text, max(0, match.start() - CUE), match.start())
            if announced and is_valid(match[0]):
                yield Found(start=match.start(), end=match.end(), kind=Kind.IDENTITY)


# --- telephones --------------------------------------------------------------------------------------------
_NUMBER = re.compile(r"(?<![\w.,/+-])(?:\(?0?\d{1,5}\)?)(?:[ ./-]{0,2}\(?\d{1,5}\)?){1,6}(?![\w/-]|[.,]\d)")
_AMERICAN = re.compile(r"(?<![\w(.-])(?:1[ -])?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])")
_SAYS_PHONE = re.compile(
    r"\b(?:tel|phone|telephone|telefon|telefax|telefoon|téléphone|teléfono|telefono|tél|mobile|mobil|handy"
    r"|móvil|电话|手机|联系方式|電話|携帯|fax|hotline|whatsapp|sms|(?P<verb>call|dial|ring|cell|text))\w{0,2}\b(?:[^\d\n]{0,24})$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-](?:\d{2}){1,2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d"
)
_AMOUNT = re.compile(r"[1-9]\d{0,2}(?: \d{3})+")
_DIGITS = (7, 15)


def _phones(text: str) -> Iterator[Found]:
    if "+" in text or "00" in text:
        for number in phonenumbers.PhoneNumberMatcher(text, None, leniency=phonenumbers.Leniency.POSSIBLE):
            written = number.raw_string.lstrip("(")
            if written.startswith("+") and len(re.sub(r"\D", "", written)) >= _DIGITS[0]:
                yield Found(start=number.end - len(written), end=number.end, kind=Kind.PHONE)
    for match in _AMERICAN.finditer(text):
        american = phonenumbers.parse(match[0], "US")
        if phonenumbers.is_valid_number(american):
            yield Found(start=match.start(), end=match.end(), kind=Kind.PHONE)
    for match in _NUMBER.finditer(text):
        digits = sum(map(str.isdigit, match[0]))
        announced = _SAYS_PHONE.search(text, max(0, match.start() - CUE), match.start())
        if not announced or not _DIGITS[0] <= digits <= _DIGITS[1]:
            continue
        amount = announced["verb"] and _AMOUNT.fullmatch(match[0].strip())
        if not amount and not _DATE.fullmatch(match[0].strip()):
            yield Found(start=match.start(), end=match.end(), kind=Kind.PHONE)
