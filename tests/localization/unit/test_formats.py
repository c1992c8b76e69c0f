"""Numbers and dates are written the same everywhere in a language: by pages, by scripts, in each pattern."""

import re
from collections.abc import Iterator
from datetime import date
from gettext import translation
from importlib import import_module
from pathlib import Path

import django
import pytest
from django.conf import settings
from django.utils import dates
from django.utils.formats import date_format
from django.utils.translation import override, to_locale

from localization.numbers import numeral
from tests.localization.unit.test_words_of_scripts import needs_node, said

ROOT = Path(settings.BASE_DIR)
OTHERS = [code for code in settings.NAMES_OF_LANGUAGES if code != "en"]
# 999, 1284, 1234567 and 12845.5 as CLDR has them, four digits grouped, too.
NUMBERS = {
    "en": ["999", "1,284", "1,234,567", "12,845.5"],
    "de": ["999", "1.284", "1.234.567", "12.845,5"],
    "fr": ["999", "1\u202f284", "1\u202f234\u202f567", "12\u202f845,5"],
    "es": ["999", "1.284", "1.234.567", "12.845,5"],
    "zh-hans": ["999", "1,284", "1,234,567", "12,845.5"],
    "ar": ["999", "1,284", "1,234,567", "12,845.5"],
}
IN_TEMPLATES = re.compile(r"""\|date:(["'])(.+?)\1""")
IN_CODE = re.compile(r"""\bdate_format\(.*""")
LITERAL = re.compile(r""""([^"]+)"|'([^']+)\'""")
OF_ENGLISH_FILES = "\\\\a\\\\t"
MONTH = re.compile(r"(?<!\\)[FMNEb]")


def patterns() -> Iterator[str]:
    """Those with the name of a month."""
    for path in (ROOT / "templates").rglob("*.*"):
        for match in IN_TEMPLATES.finditer(path.read_text()):
            yield match[2]
    for path in ROOT.glob("[a-z]*/**/*.py"):
        if path.parts[len(ROOT.parts)] in {"tests", "var"} or "date_format(" not in (
            text := path.read_text()
        ):
            continue
        for call in IN_CODE.findall(text):
            yield from (one or two for one, two in LITERAL.findall(call))


@pytest.mark.parametrize("code", NUMBERS)
def test_pages_write_numbers_as_the_language_does(code: str) -> None:
    with override(code):
        assert [numeral(999), numeral(1284), numeral(1_234_567), numeral(12845.5, 1)] == NUMBERS[code]


@needs_node
@pytest.mark.parametrize("code", NUMBERS)
def test_scripts_write_them_as_pages_do(code: str) -> None:
    calls = [f"numeral({value})" for value in (999, 1284, 1_234_567, 12845.5)]
    assert said(code, "", *calls) == NUMBERS[code]


def test_each_pattern_of_a_date_has_its_form_in_each_language() -> None:
    used = {one for one in patterns() if MONTH.search(one) and OF_ENGLISH_FILES not in one} - {"F"}
    assert {"j M", "j F Y", "j M Y H:i e"} <= used  # of amounts.py, of templates, of a watermark
    for code in OTHERS:
        known = vars(import_module(f"localization.formats.{to_locale(code)}.formats"))
        assert used - set(known) == set(), code


@pytest.mark.parametrize(
    ("code", "short", "long"),
    [
        ("de", "5. Jan 2026", "5. Januar 2026"),
        ("fr", "5 jan 2026", "5 janvier 2026"),
        ("es", "5 ene 2026", "5 de enero de 2026"),
        ("zh-hans", "2026年1月5日", "2026年1月5日"),
        ("ar", "5 يناير 2026", "5 يناير 2026"),
    ],
)
def test_a_day_is_written_as_the_language_does(code: str, short: str, long: str) -> None:
    day = date(2026, 1, 5)
    with override(code):
        assert [date_format(day, "j M Y"), date_format(day, "j F Y")] == [short, long]


@pytest.mark.parametrize("code", OTHERS)
def test_months_and_weekdays_have_the_names_that_django_gives_them(code: str) -> None:
    """A message of ours with such a text would be shown in their place: “May” is also what a token may do."""
    own = translation("django", Path(django.__file__).parent / "conf/locale", [to_locale(code)])
    year = [date(2017, month, 10) for month in range(1, 13)]
    with override(code):
        shown = [[date_format(day, pattern) for day in year] for pattern in ("F", "M", "E")]
        weekdays = [date_format(date(2017, 1, day), "l") for day in range(2, 9)]
    with override("en"):
        months = [date_format(day, "F") for day in year]
        short = [str(dates.MONTHS_3[month]) for month in range(1, 13)]
        days = [str(dates.WEEKDAYS[day]) for day in range(7)]
    assert shown[0] == [own.gettext(month) for month in months]
    assert shown[1] == [own.gettext(month).title() for month in short]
    assert shown[2] == [own.pgettext("alt. month", month) for month in months]
    assert weekdays == [own.gettext(day) for day in days]
