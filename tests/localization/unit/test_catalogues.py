"""What is offered is whole: each message is translated, with what the English one has in it."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings

from tools.messages import (
    DOMAINS,
    KEYWORDS,
    ROOT,
    brought_up_to_date,
    catalogue_file,
    compiled,
    is_of_no_page,
    languages,
    marked,
    missing,
    read,
    script_file,
    sources,
    words_of_scripts,
)

OFFERED = [code for code, _ in settings.LANGUAGES if code in languages()]
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|(?<!%)%[sd]|\{\w*(?::[^}]*)?\}")
TAG = re.compile(r"</?[a-zA-Z][^>]*>")
ALL_FORMS, OF_ONE_NUMBER = 6, 3  # Arabic: the first three are for none, one and two
COUNTS = {"%(n)s", "%(count)s", "{n}", "{count}"}  # a form for one or two may spell it out


@pytest.fixture(scope="module")
def templates() -> dict[str, Catalog]:
    return {domain: marked(domain) for domain in DOMAINS}


def test_text_is_marked_in_each_kind_of_file(templates: dict[str, Catalog]) -> None:
    files = {path for message in templates["django"] for path, _ in message.locations}
    assert {Path(path).suffix for path in files} == {".html", ".txt", ".py"}
    assert all(
        path.startswith("static/js/") for message in templates["djangojs"] for path, _ in message.locations
    )


def sentences_of(source: bytes) -> Iterator[str | None]:
    """The first text of each call that marks one; None for an f-string, which no catalogue can have."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
            behind_context = call.args[1:] if "pgettext" in call.func.id else call.args
            match behind_context:
                case [ast.Constant(value=str(text)), *_]:
                    yield text
                case [ast.JoinedStr(), *_]:
                    yield None


def test_calls_that_mark_a_sentence_are_found() -> None:
    source = b"""said = said("A {b}.", b=_("B"))
f"{gettext('C')}", npgettext("d", "D", "Ds", 2), _(f"{x}"), _(x)"""
    assert set(sentences_of(source)) == {"A {b}.", "B", "C", "D", None}


def test_no_marked_sentence_of_python_is_skipped(templates: dict[str, Catalog]) -> None:
    """The extractor reads tokens: it passes over what stands within an f-string."""
    taken = {forms_of(message.id)[0] for message in templates["django"]}
    skipped = {
        (path, text)
        for path, _, content in sources("django")
        if path.endswith(".py")
        for text in sentences_of(content)
        if text not in taken
    }
    assert skipped == set()


def forms_of(text: Any) -> list[str]:
    return list(text) if isinstance(text, (list, tuple)) else [text]


def differences(message: Message) -> Iterator[str]:
    """What a translation lacks or has too much."""
    single, *others = forms_of(message.id)
    full = others[0] if others else single
    forms = forms_of(message.string)
    wanted, allowed = set(PLACEHOLDER.findall(full)), set(PLACEHOLDER.findall(full + single))
    must = set(PLACEHOLDER.findall(single)) & wanted - COUNTS
    for place, form in enumerate(forms):
        has = set(PLACEHOLDER.findall(form))
        least = wanted if form == forms[-1] else must
        spelled_out = len(forms) == ALL_FORMS and place < OF_ONE_NUMBER
        if len(least - has) > spelled_out or not has <= allowed:
            yield f"{single!r}: {form!r} has {sorted(has)}, not {sorted(least)}"
        if Counter(TAG.findall(form)) not in (Counter(TAG.findall(full)), Counter(TAG.findall(single))):
            yield f"{single!r}: {form!r} has other tags"
        if (single[:1].isspace(), single[-1:].isspace()) != (form[:1].isspace(), form[-1:].isspace()):
            yield f"{single!r}: {form!r} begins or ends with other white space"


def test_a_translation_that_lacks_something_is_found() -> None:
    assert not list(differences(Message("Hello <b>%(name)s</b>", "<b>%(name)s</b>, hallo")))
    assert list(differences(Message("Hello <b>%(name)s</b>", "<b>%(nam)s</b>, hallo")))
    assert list(differences(Message("Hello <b>%(name)s</b>", "%(name)s, hallo")))
    assert not list(differences(Message(("One file", "%(n)s files"), ("Eine Datei", "%(n)s Dateien"))))
    assert list(differences(Message(("One file", "%(n)s files"), ("Eine Datei", "Dateien"))))
    forms = "بلا ملفات", "ملف واحد", "ملفان", "%(shown)s ملفات", "%(shown)s ملفًا", "%(shown)s ملف"
    assert not list(differences(Message(("%(shown)s file", "%(shown)s files"), forms)))
    assert list(differences(Message(("%(shown)s file", "%(shown)s files"), (*forms[:3], *forms[:3]))))


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("code", OFFERED)
def test_every_message_is_translated(code: str, domain: str, templates: dict[str, Catalog]) -> None:
    """`make messages` brings a catalogue up to date; then its new messages are translated."""
    locale = languages()[code]
    catalog = read(locale, domain)
    assert [message.id for message in missing(catalog)] == []
    plurals = [message for message in catalog if message.id and message.pluralizable]
    assert [one.id for one in plurals if len(forms_of(one.string)) != catalog.num_plurals] == []
    assert [problem for message in catalog if message.id for problem in differences(message)] == []
    assert (
        brought_up_to_date(read(locale, domain), templates[domain])
        == catalogue_file(locale, domain).read_bytes()
    )


@pytest.mark.parametrize("code", OFFERED)
def test_what_is_compiled_is_what_is_written(code: str) -> None:
    locale = languages()[code]
    assert catalogue_file(locale, "django", "mo").read_bytes() == compiled(read(locale, "django"))
    assert script_file(code).read_bytes() == words_of_scripts(read(locale, "djangojs"))


def test_what_marks_a_message_has_no_other_name_than_the_catalogues_know() -> None:
    """`gettext_lazy as _lazy` would mark nothing."""
    renamed = re.compile(rb"import \w*gettext\w* as (?!_(?:\W|$))", re.MULTILINE)
    sources = (path for path in ROOT.rglob("*.py") if not is_of_no_page(path))
    assert [path for path in sources if renamed.search(path.read_bytes())] == []
