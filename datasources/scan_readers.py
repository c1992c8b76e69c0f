"""What can read the scans of a datasource, and the languages that each reader knows."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasources.models import Datasource, ScanReader
from formats.ocr import tesseract
from formats.ocr.languages import BUILT_IN, NAMES, name_of
from localization.lists import either, listed
from providers.roles import ModelRole, endpoint


def available(datasource: Datasource | None) -> list[ScanReader]:
    """SVQ's own, and what this deployment or the datasource has besides. None: it is about to be made."""
    return [reader for reader in ScanReader if is_available(reader, datasource)]


def is_available(reader: str, datasource: Datasource | None) -> bool:
    match reader:
        case ScanReader.TESSERACT:
            return bool(tesseract.languages())
        case ScanReader.SERVER:
            return endpoint(datasource, ModelRole.OCR) is not None
    return True


def languages_of(reader: str) -> Sequence[str]:
    """Those that can be chosen for it, by the names that Tesseract gives them."""
    match reader:
        case ScanReader.TESSERACT:
            return tesseract.languages()
        case ScanReader.SERVER:
            return list(NAMES)
    return list(BUILT_IN)


def languages_to_choose(datasource: Datasource | None) -> list[tuple[str, str]]:
    """Of all readers that there are: each with its name, and who reads it where SVQ's own reader does not."""
    readers = available(datasource)
    codes = {code for reader in readers for code in languages_of(reader)}
    return sorted(
        ((code, _named(code, readers)) for code in codes),
        key=lambda choice: choice[1].lower(),
    )


def _named(language: str, readers: Sequence[ScanReader]) -> str:
    name = _(name_of(language))
    if language in BUILT_IN:
        return name
    by = [reader.short for reader in readers if language in languages_of(reader)]
    return _("{language} ({readers} only)").format(language=name, readers=either(by))


def check(reader: str, languages: Sequence[str], datasource: Datasource | None) -> None:
    """Raises ValidationError where the reader is not there, or cannot read one of the languages."""
    if refusal := why_not(reader, datasource):
        raise ValidationError(refusal, code="scan_reader")
    unknown = [language for language in languages if language not in languages_of(reader)]
    if unknown:
        told = _(
            "{reader} cannot read {languages} here. Leave that out, or choose another reader. "
            "Nothing was changed."
        )
        raise ValidationError(
            told.format(reader=ScanReader(reader).short, languages=_listed(unknown)), code="scan_languages"
        )


def _listed(languages: Sequence[str]) -> str:
    """“English, French and German”."""
    return listed([_(name_of(language)) for language in languages])


def why_not(reader: str, datasource: Datasource | None) -> str:
    """Why scans cannot be read by it now, and what to do; empty where they can."""
    if is_available(reader, datasource):
        return ""
    if reader == ScanReader.TESSERACT:
        return _("Tesseract is not installed on this server. Choose another reader of scans in the settings.")
    return _(
        "No OCR server is connected. Choose another reader of scans in the settings, or ask an administrator."
    )
