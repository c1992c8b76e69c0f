"""The catalogues of the interface's languages: `make messages`; `python -m tools.messages de` begins one.

Takes what is marked for translation out of templates, Python and scripts, brings each catalogue up to date
with it, and compiles: what has no translation yet stays empty. A language is first compiled, and so offered,
when nothing in it is empty. No GNU gettext is needed. docs/decisions/0107-languages.md
"""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract as extract_from
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from svq_site.settings import LANGUAGE_CODE, NAMES_OF_LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
NOT_OF_PAGES = {
    "benchmarks",
    "migrations",
    "samples",
    "tests",
    "tools",
    "var",
    ".venv",
    "node_modules",
    "static",
}
KEYWORDS: dict[str, Any] = {
    "_": None,
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("said", "worded", "too_large", "no_framework"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "said_of"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
MARKS = (b"gettext", b"localization.s", b"too_large(", b"no_framework(")  # in a file that has messages
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
DOMAINS = ("django", "djangojs")  # what the server says, and what scripts say
# The categories of Intl.PluralRules, in the order of a catalogue's forms; three are those of French and
# Spanish ("many" of whole millions). Where languages with as many forms differ in their categories, as Polish
# would, this has to be by language.
CATEGORIES = {
    1: ["other"],
    2: ["one", "other"],
    3: ["one", "many", "other"],
    6: ["zero", "one", "two", "few", "many", "other"],
}


# --- what is marked ---------------------------------------------------------------------------------------
def marked(domain: str) -> Catalog:
    """Every message of the sources, each with the files that it is in."""
    catalog = Catalog(project="SVQ")
    for path, kind, content in sources(domain):
        for _, message, comments, context in extract_from(
            kind, BytesIO(content), KEYWORDS, ("Translators:",)
        ):
            catalog.add(message, locations=[(path, 1)], auto_comments=comments, context=context)
    return catalog


def sources(domain: str) -> Iterator[tuple[str, str, bytes]]:
    """The path of each file, how it is read, and what is read."""
    if domain == "djangojs":
        for path in sorted((ROOT / "static/js").glob("*.js")):
            yield _name(path), "javascript", path.read_bytes()
        return
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in {".html", ".txt"}:
            yield _name(path), "python", _as_python(path)
    for path in sorted(ROOT.rglob("*.py")):
        if is_of_no_page(path):
            continue
        content = path.read_bytes()
        if any(each in content for each in MARKS):
            yield _name(path), "python", content


def is_of_no_page(path: Path) -> bool:
    """Folders of a name are meant at the root alone: `retrieval/tools` has what pages say."""
    parts = path.relative_to(ROOT).parts
    return parts[0] in NOT_OF_PAGES or "migrations" in parts


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _as_python(path: Path) -> bytes:
    """A template as Django gives it to gettext; without indentation, which would have to be Python's."""
    lines = templatize(path.read_text(), origin=str(path)).splitlines()
    return "\n".join(line.strip() for line in lines).encode()


# --- catalogues -------------------------------------------------------------------------------------------
def languages() -> dict[str, str]:
    """The code of each language that SVQ is written for, but English, and its folder."""
    return {code: to_locale(code) for code in NAMES_OF_LANGUAGES if code != LANGUAGE_CODE}


def catalogue_file(locale: str, domain: str, suffix: str = "po") -> Path:
    return ROOT / "locale" / locale / "LC_MESSAGES" / f"{domain}.{suffix}"


def read(locale: str, domain: str) -> Catalog:
    with catalogue_file(locale, domain).open("rb") as file:
        return read_po(file, locale=locale, domain=domain)


def brought_up_to_date(catalog: Catalog, template: Catalog) -> bytes:
    """The file: sorted by message, and without line numbers or times, which would change with every edit."""
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    file = BytesIO()
    write_po(file, catalog, width=120, sort_output=True, include_lineno=False, omit_header=True)
    head = {
        "Language": str(catalog.locale),
        "Plural-Forms": catalog.plural_forms,
        "Content-Type": "text/plain; charset=utf-8",
    }
    lines = "".join(f'"{name}: {value}\\n"\n' for name, value in head.items())
    return f'msgid ""\nmsgstr ""\n{lines}\n'.encode() + file.getvalue()


def is_translated(message: Message) -> bool:
    texts = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
    return bool(texts) and all(texts) and not message.fuzzy


def missing(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id and not is_translated(message)]


# --- compiled ---------------------------------------------------------------------------------------------
def compiled(catalog: Catalog) -> bytes:
    """The same for the same messages: Babel would write the time of now into it."""
    catalog.creation_date = catalog.revision_date = NO_TIME
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def words_of_scripts(catalog: Catalog) -> bytes:
    """A script that tells the messages to static/js/words.js."""
    known = {
        f"{message.context}\4{key}" if message.context else key: message.string
        for message in catalog
        if message.id and is_translated(message)
        for key in [message.id[0] if isinstance(message.id, (list, tuple)) else message.id]
    }
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}:{json.dumps(known[key], ensure_ascii=False)}"
        for key in sorted(known)
    ]
    categories = json.dumps(CATEGORIES[catalog.num_plurals])
    return "\n".join([f"learn({categories}, {{", ",\n".join(lines), "});", ""]).encode()


def script_file(code: str) -> Path:
    return ROOT / "static/js/words" / f"{code}.js"


def compile_catalogues(code: str, catalogs: dict[str, Catalog]) -> None:
    locale = languages()[code]
    offered = catalogue_file(locale, "django", "mo").exists()
    if not offered and any(map(missing, catalogs.values())):
        return
    catalogue_file(locale, "django", "mo").write_bytes(compiled(catalogs["django"]))
    script_file(code).parent.mkdir(exist_ok=True)
    script_file(code).write_bytes(words_of_scripts(catalogs["djangojs"]))


def main(begun: list[str]) -> None:
    templates = {domain: marked(domain) for domain in DOMAINS}
    for code, locale in languages().items():
        if code not in begun and not catalogue_file(locale, "django").exists():
            continue
        catalogs = {}
        for domain, template in templates.items():
            file = catalogue_file(locale, domain)
            file.parent.mkdir(parents=True, exist_ok=True)
            catalog = read(locale, domain) if file.exists() else Catalog(locale=locale, project="SVQ")
            file.write_bytes(brought_up_to_date(catalog, template))
            catalogs[domain] = read(locale, domain)
        compile_catalogues(code, catalogs)
        left = sum(len(missing(catalog)) for catalog in catalogs.values())
        print(f"{code}: {left or 'nothing'} left to translate")


if __name__ == "__main__":
    main(sys.argv[1:])
