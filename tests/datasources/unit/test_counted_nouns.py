"""Each noun that pages count has its forms for translators, and none is translated in vain."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.conf import settings

from datasources.derived import loss_nouns
from datasources.services import Loss
from datasources.templatetags.amounts import COUNTED, WITHIN, counted
from svq_site.people.handing_over import Owned
from tests.desks import WITH_ALL

ROOT = Path(settings.BASE_DIR)
IN_TEMPLATES = re.compile(r"""(?:\|counted:|\bnoun=)(["'])(?P<noun>[^"']+)\1""")
WITHIN_SENTENCES = re.compile(r"""\|counted_within:(["'])(?P<noun>[^"']+)\1""")
IN_CODE = re.compile(r'\bcounted\([^"]*, "(?P<noun>[^"]+)"\)')
TEMPLATES = list((ROOT / "templates").rglob("*.*"))
OWNED = {"datasource", "matter", "framework", "scheduled evaluation"}


def found(pattern: re.Pattern[str], paths: Iterable[Path], where: str = "") -> set[str]:
    texts = [text for path in paths if where in (text := path.read_text())]
    return {match["noun"] for text in texts for match in pattern.finditer(text)}


def nouns() -> set[str]:
    code = [
        path
        for path in ROOT.glob("[a-z]*/**/*.py")
        if path.relative_to(ROOT).parts[0] not in {"tests", "var"}
    ]
    return found(IN_TEMPLATES, TEMPLATES) | found(IN_CODE, code, where="amounts import counted")


@WITH_ALL
def test_each_noun_that_is_counted_has_its_forms() -> None:
    lost = {noun.removesuffix("s").replace("_", " ") for noun in loss_nouns()}
    assert nouns() | lost | OWNED == set(COUNTED)
    assert found(WITHIN_SENTENCES, TEMPLATES) == set(WITHIN)


@WITH_ALL
def test_what_people_lose_or_hand_over_can_be_told() -> None:
    assert "3 tables" in str(Loss(documents=1, members=1, more=dict.fromkeys(loss_nouns(), 3)))
    owned = Owned(datasources=1, matters=1, frameworks=1, schedules=1)
    assert str(owned) == "1 datasource, 1 matter, 1 list of points and 1 scheduled evaluation"
    assert owned.in_log == "datasource: 1, matter: 1, framework: 1, scheduled evaluation: 1"


def test_a_noun_without_forms_is_not_told_in_english() -> None:
    with pytest.raises(KeyError):
        counted(2, "wheel")
