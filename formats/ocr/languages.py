"""The languages that print is in, as Tesseract names them, and which of them SVQ's own reader knows."""

import re
from collections.abc import Sequence, Set
from types import MappingProxyType

from formats.base.errors import gettext_noop

# What the model in the wheel has all letters of; docs/decisions/0034-ocr.md.
LATIN = MappingProxyType(
    {
        "eng": gettext_noop("English"),
        "cat": gettext_noop("Catalan"),
        "ces": gettext_noop("Czech"),
        "dan": gettext_noop("Danish"),
        "deu": gettext_noop("German"),
        "est": gettext_noop("Estonian"),
        "fin": gettext_noop("Finnish"),
        "fra": gettext_noop("French"),
        "hrv": gettext_noop("Croatian"),
        "hun": gettext_noop("Hungarian"),
        "isl": gettext_noop("Icelandic"),
        "ita": gettext_noop("Italian"),
        "lav": gettext_noop("Latvian"),
        "lit": gettext_noop("Lithuanian"),
        "nld": gettext_noop("Dutch"),
        "nor": gettext_noop("Norwegian"),
        "pol": gettext_noop("Polish"),
        "por": gettext_noop("Portuguese"),
        "ron": gettext_noop("Romanian"),
        "slk": gettext_noop("Slovak"),
        "slv": gettext_noop("Slovenian"),
        "spa": gettext_noop("Spanish"),
        "swe": gettext_noop("Swedish"),
        "tur": gettext_noop("Turkish"),
    }
)
CHINESE = MappingProxyType(
    {"chi_sim": gettext_noop("Chinese, simplified"), "chi_tra": gettext_noop("Chinese, traditional")}
)
JAPANESE = MappingProxyType({"jpn": gettext_noop("Japanese")})
OTHERS = MappingProxyType(
    {
        "ara": gettext_noop("Arabic"),
        "aze": gettext_noop("Azerbaijani"),
        "bel": gettext_noop("Belarusian"),
        "ben": gettext_noop("Bengali"),
        "bul": gettext_noop("Bulgarian"),
        "ell": gettext_noop("Greek"),
        "fas": gettext_noop("Persian"),
        "heb": gettext_noop("Hebrew"),
        "hin": gettext_noop("Hindi"),
        "hye": gettext_noop("Armenian"),
        "ind": gettext_noop("Indonesian"),
        "kat": gettext_noop("Georgian"),
        "kaz": gettext_noop("Kazakh"),
        "khm": gettext_noop("Khmer"),
        "kor": gettext_noop("Korean"),
        "lao": gettext_noop("Lao"),
        "mar": gettext_noop("Marathi"),
        "mkd": gettext_noop("Macedonian"),
        "mya": gettext_noop("Burmese"),
        "nep": gettext_noop("Nepali"),
        "rus": gettext_noop("Russian"),
        "srp": gettext_noop("Serbian"),
        "tam": gettext_noop("Tamil"),
        "tel": gettext_noop("Telugu"),
        "tha": gettext_noop("Thai"),
        "ukr": gettext_noop("Ukrainian"),
        "urd": gettext_noop("Urdu"),
        "uzb": gettext_noop("Uzbek"),
        "vie": gettext_noop("Vietnamese"),
    }
)
_KANA = re.compile("[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_EAST_ASIAN = re.compile("[\u2e80-\u2fdf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff65]")
BUILT_IN = MappingProxyType({**LATIN, **CHINESE, **JAPANESE})
NAMES = MappingProxyType({**BUILT_IN, **OTHERS})


def name_of(language: str) -> str:
    return NAMES.get(language, language)


def is_left_out(character: str, languages: Set[str]) -> bool:
    """Whether none of the languages is written with it; nothing is left out where none is named.

    Latin letters and figures stand in texts of all languages.
    """
    if not languages or languages & JAPANESE.keys():
        return False
    if _KANA.search(character):
        return True
    return not languages & CHINESE.keys() and bool(_EAST_ASIAN.search(character))


def in_words(languages: Sequence[str]) -> str:
    """For the middle of a sentence: "English and German"."""
    names = [name_of(language) for language in languages]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
