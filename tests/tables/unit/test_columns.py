"""What a table is given as columns, in each language."""

import pytest
from django.conf import settings
from django.utils import translation

from desks.tables.services import columns_from
from desks.tables.web.presets import PRESETS

EXAMPLE = "Notice: How much notice is needed?"  # as the page shows it, in the empty field


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("lines", [EXAMPLE, *(each[2] for each in PRESETS)])
def test_what_the_page_offers_has_a_name_and_a_question(language: str, lines: str) -> None:
    with translation.override(language):
        offered = translation.gettext(lines)
    for line, column in zip(offered.splitlines(), columns_from(offered), strict=True):
        shown = " ".join(line.split())  # French has a space that does not break before “?”
        assert shown.endswith(column.question), "the question that stands there, not one made of the name"
        assert not column.name.endswith(column.question)
