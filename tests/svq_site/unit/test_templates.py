"""What no template may have: notes to ourselves on the page, forms that Enter sends to their ruin."""

import re
from pathlib import Path

import pytest
from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "templates"
TEMPLATES = {str(path.relative_to(FOLDER)): path.read_text() for path in sorted(FOLDER.rglob("*.html"))}
FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
TYPED = re.compile(r"<input\b(?![^>]*type=\"(?:hidden|checkbox|radio|file)\")|_fields?\.html|\{\{ field \}\}")
SUBMIT = re.compile(r"<button\b(?![^>]*type=\"button\")[^>]*>")
RUINOUS = re.compile(r'class="[^"]*\b(?:danger|bad)\b|value="(?:delete|remove|off|stop)"|name="all"')


def test_a_comment_of_several_lines_would_be_shown_to_people() -> None:
    lines = [(name, line) for name, text in TEMPLATES.items() for line in text.splitlines()]
    assert [name for name, line in lines if "{#" in line.split("#}")[-1]] == []


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(form, id=name)
        for name, text in TEMPLATES.items()
        for form in FORM.findall(text)
        if TYPED.search(form)
    ],
)
def test_enter_in_a_field_deletes_nothing(form: str) -> None:
    """A browser presses the first button that sends the form; one that is alone is what the form is for."""
    first, *others = SUBMIT.findall(form) or [""]
    assert not others or not RUINOUS.search(first)
