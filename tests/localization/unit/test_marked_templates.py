"""Every text of a template is marked for translation."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template.base import Lexer, Token, TokenType

from tests.localization.visible import has_letters, visible

FOLDER = Path(settings.BASE_DIR) / "templates"
# Read by operators: English.
IN_ENGLISH = {"admin"}
# Read by people who have no account here, whatever SVQ it came from.
DOCUMENTS_IN_ENGLISH = {"packs/page.html", "packs/verify.html"}
NOT_YET = {"connectors"}  # its pages are still being written
# Names and symbols that no language changes.
SAME_EVERYWHERE = re.compile(
    r"\b(?:SVQ|API|REST|MCP|OpenID(?: Connect)?|SAML|SCIM|DOI|SHA-256|Ctrl K|PDF|CSV|JSONL?|Word|Excel"
    r"|BibTeX|RIS|ms|verify\.html)\b|<EntityDescriptor …>|https?://\S*|\[c\]"
    r"|^Vaswani, Shazeer$|^fast,legs=\S+$"
)
# What is translated, and blocks that hold names of CSS classes.
OPAQUE = re.compile(r"blocktranslate\b|block \w+_class\b")
END = {"endblocktranslate", "endblock"}
LITERAL = re.compile(r"""(?<!_\()(?P<quote>["'])(?P<text>[^"']*)(?P=quote)""")
# Of these, the arguments and filters may have words that people see.
WORDED = re.compile(
    r"(?:label|hint|heading|text|title|button|note|words|what|name)=(?=[\"'])|\|default:|\|yesno:"
)


def templates() -> list[Path]:
    every = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in {".html", ".txt"}]
    return [path for path in every if not _is_english(path.relative_to(FOLDER))]


def _is_english(path: Path) -> bool:
    return path.parts[0] in IN_ENGLISH | NOT_YET or path.as_posix() in DOCUMENTS_IN_ENGLISH


def unmarked(source: str) -> Iterator[str]:
    """Texts outside of the tags of translation, and literals that people see."""
    html, inside = list[str](), False
    for token in Lexer(source).tokenize():
        name = token.contents.partition(" ")[0]
        if token.token_type == TokenType.BLOCK and (name in END or OPAQUE.match(token.contents)):
            inside = name not in END
        elif inside:
            continue
        elif token.token_type == TokenType.TEXT:
            html.append(token.contents)
        else:
            yield from _literals(token)
    for text in visible("".join(html)):
        if has_letters(SAME_EVERYWHERE.sub("", text)):
            yield text


def _literals(token: Token) -> Iterator[str]:
    if token.token_type == TokenType.COMMENT or token.contents.startswith("translate "):
        return
    for match in WORDED.finditer(token.contents):
        literal = LITERAL.match(token.contents, match.end())
        text = literal["text"] if literal else ""
        if has_letters(SAME_EVERYWHERE.sub("", text)) and (" " in text or text[0].isupper()):
            yield text


def test_unmarked_text_is_found() -> None:
    assert list(unmarked("<p>Hello <b>you</b></p>")) == ["Hello you"]
    assert list(unmarked('<a title="Close">{{ name }}</a>{% include "x" with label="Day" %}')) == [
        "Day",
        "Close",
    ]
    assert list(unmarked('{{ button|default:"Save" }}')) == ["Save"]


def test_marked_text_is_none() -> None:
    assert not list(unmarked('<p class="row">{% translate "Hello" %} SVQ</p><kbd>Ctrl K</kbd>'))
    assert not list(unmarked("{% blocktranslate trimmed %}Hello <b>you</b>{% endblocktranslate %}"))
    assert not list(unmarked('{% include "x" with label=_("Day") kind="password" %}'))


@pytest.mark.parametrize("path", templates(), ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_text_is_marked(path: Path) -> None:
    assert list(unmarked(path.read_text())) == []
