"""Every address of the site, as somebody sees it who reads another language."""

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.settings.sections import SECTIONS
from tests.addresses import OURS, OWNER, ROWS, path_of
from tests.localization.integration.test_every_page import outside_of_brackets
from tests.localization.pseudo import HEADERS, pseudo_language
from tests.responses import content_of
from tests.world import PRIVATE, SECRET, client_of

pytest_plugins = ["tests.shared_world"]

GERMAN = {"Accept-Language": "de"}
ENGLISH = {"Accept-Language": "en"}
# In English, for programs.
NOT_LOOKED_AT = {"healthz", "metrics", "scim_nothing"}
# What people of the world of the tests have named and written.
THEIRS = re.compile(
    rf"(?:Does|When does the|The|About) (?:{SECRET}|{PRIVATE})[\w ]*[.?]?|"
    rf"{SECRET} (?:v\. Halden|contracts|report|table|rules|Ltd|memo|questions|other|itself|draft|2024)|"
    rf"{SECRET} clause ends in May|{SECRET}|{PRIVATE}|in May|he Quetza|\bclause\b|\bEnd\b|Arden|Helios|"
    r"\b(?:Editors|Erinerin|Ann|Bob|Charlie|Erin|ann|bob|charlie|erin|dora|fred)\b|\bAQ\b|\bAda\b|Rates\b|rates(?:\.example)?\b|"
    r"Tariffs\b|tariffs\.example|Tell the rate\."
)
# What is kept in English: what was done, settings of runs, where a quote of a memo stands,
# measures of models, kinds of entities.
KEPT = re.compile(
    r"^answer [0-9a-f-]{36}, until [\d-]{10}$|"
    r"^(?:: )?Agent,?$|bm25 \+ dense \+ document|^(?:agent|quotes|weighted|none|off)$|sent 0, written 0|"
    r"kind recursive, size 1000, overlap 100|adherence=0\.97, none\.refused=0\.8|"
    r"(?:, )?page 1;|SNLI .*|RAGTruth .*|(?:[A-Z]+, )+[A-Z]+;|webhook\.test"
)
# Names of models, licenses, programs, formats and files; numbers of papers, requests and keys.
NAMES = re.compile(
    r"[\w.-]+/[\w.-]+|all-MiniLM-L6-v2|^main$|Llama 3\. License|Apache-2\.0|\bMIT\b|Gemma Terms of Use|"
    r"Claude (?:Code|Desktop)|\b(?:Cursor|VS Code|Ollama|LM Studio|vLLM|llama\.cpp|Anthropic|Mistral|"
    r"Google Gemini|DeepSeek|Groq|OpenRouter|Azure OpenAI|OpenAI|OpenAI compatible|compatible)\b|mcp\.json|"
    r"\b(?:PDF|PNG|JPEG|TIFF|WebP|BMP|GIF|HEIC|Word|PowerPoint|Excel|EPUB|Outlook|HTML|ZIP|Markdown|LaTeX|JSONL?|"
    r"BibTeX|RIS|pdf|verify\.html)\b|\.zip|Vaswani, Shazeer|fast,legs=\S+|2401\.00001v1|\b[0-9a-f]{4}\b|"
    r"(?:GET|POST) /\S*|[0-9a-f]{8}-[0-9a-f-]{27}|\b[\d.]+ GB\b|\d+ (?:seconds?|minutes?) ago"
)
# In attributes that are read by people a comma is right.
WITH_COMMA = re.compile(r'''\s(?!aria-|title|alt|placeholder|content|data-label)[\w-]+="[^"]*\d,\d[^"]*"''')


@pytest.fixture
def client(shared_world: SimpleNamespace) -> Client:
    """Of the datasource's owner, who looks after the whole site, too."""
    owner = shared_world.people[OWNER]
    User.objects.filter(pk=owner.pk).update(is_staff=True, is_superuser=True)
    return client_of(owner)


def addresses(world: SimpleNamespace, *, of_rest: bool = False) -> Iterator[str]:
    """That answer to looks: of programs that speak REST, or of all others."""
    for one in OURS:
        can_be_seen = one.name in ROWS and ROWS[one.name].GET is not None and one.name not in NOT_LOOKED_AT
        if can_be_seen and one.name.startswith("api-") == of_rest:
            yield path_of(one.name, world)


def pages(client: Client, world: SimpleNamespace) -> Iterator[tuple[str, str]]:
    """Each address and its HTML."""
    sections = (reverse("settings_section", args=[world.datasource, one.name]) for one in SECTIONS)
    found = reverse("search", args=[world.datasource]) + "?q=clause"
    for path in (*addresses(world), *sections, found, reverse("palette") + "?q=cl"):
        page: Any = client.get(path, headers=HEADERS)
        content_of(page)  # a download is open until it is read
        assert page.status_code < 500, path
        if page.headers.get("Content-Type", "").startswith("text/html") and not page.streaming:
            yield path, page.content.decode()


def body_of(client: Client, path: str, headers: dict[str, str]) -> bytes:
    """Of a file nothing: it has the time in it."""
    answer: Any = client.get(path, headers=headers)
    content_of(answer)
    return b"" if answer.streaming else bytes(answer.content)


def own_words(html: str) -> list[str]:
    """What SVQ says of its own, and does not translate."""
    found = []
    for text in outside_of_brackets(html):
        bare = NAMES.sub("", KEPT.sub("", THEIRS.sub("", text).strip()))
        if re.search(r"[^\W\d_]", bare):
            found.append(text)
    return found


def test_every_page_is_translated_and_its_drawings_are_there(
    client: Client, shared_world: SimpleNamespace
) -> None:
    """A German “0,5” is no width: drawings and bars would be gone."""
    told, commas = dict[str, list[str]](), dict[str, list[str]]()
    looked_at = 0
    with pseudo_language():
        for path, html in pages(client, shared_world):
            looked_at += 1
            if found := own_words(html):
                told[path] = found
            if found := WITH_COMMA.findall(html):
                commas[path] = found
    assert told == {}
    assert commas == {}
    assert looked_at > 120


def test_programs_read_the_same_whatever_language_they_ask_for(
    client: Client, shared_world: SimpleNamespace
) -> None:
    User.objects.filter(pk=shared_world.people[OWNER].pk).update(language="de")
    differing = []
    for path in addresses(shared_world, of_rest=True):
        english, german = (body_of(client, path, headers) for headers in (ENGLISH, GERMAN))
        if english != german:
            differing.append(path)
    assert differing == []
