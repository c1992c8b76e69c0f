"""The languages that print is in, as Tesseract names them, and which of them SVQ's own reader knows."""

import re
from collections.abc import Sequence, Set
from types import MappingProxyType

# What the model in the wheel has all letters of; docs/decisions/0034-ocr.md.
LATIN = MappingProxyType(
    {
        "eng": "English",
        "cat": "Catalan",
        "ces": "Czech",
        "dan": "Danish",
        "deu": "German",
        "est": "Estonian",
        "fin": "Finnish",
        "fra": "French",
        "hrv": "Croatian",
        "hun": "Hungarian",
        "isl": "Icelandic",
        "ita": "Italian",
        "lav": "Latvian",
        "lit": "Lithuanian",
        "nld": "Dutch",
        "nor": "Norwegian",
        "pol": "Polish",
        "por": "Portuguese",
        "ron": "Romanian",
        "slk": "Slovak",
        "slv": "Slovenian",
        "spa": "Spanish",
        "swe": "Swedish",
        "tur": "Turkish",
    }
)
CHINESE = MappingProxyType({"chi_sim": "Chinese, simplified", "chi_tra": "Chinese, traditional"})
JAPANESE = MappingProxyType({"jpn": "Japanese"})
OTHERS = MappingProxyType(
    {
        "ara": "Arabic",
        "aze": "Azerbaijani",
        "bel": "Belarusian",
        "ben": "Bengali",
        "bul": "Bulgarian",
        "ell": "Greek",
        "fas": "Persian",
        "heb": "Hebrew",
        "hin": "Hindi",
        "hye": "Armenian",
        "ind": "Indonesian",
        "kat": "Georgian",
        "kaz": "Kazakh",
        "khm": "Khmer",
        "kor": "Korean",
        "lao": "Lao",
        "mar": "Marathi",
        "mkd": "Macedonian",
        "mya": "Burmese",
        "nep": "Nepali",
        "rus": "Russian",
        "srp": "Serbian",
        "tam": "Tamil",
        "tel": "Telugu",
        "tha": "Thai",
        "ukr": "Ukrainian",
        "urd": "Urdu",
        "uzb": "Uzbek",
        "vie": "Vietnamese",
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


def told(languages: Sequence[str]) -> str:
    """For the middle of a sentence: "English and German"."""
    names = [name_of(language) for language in languages]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
