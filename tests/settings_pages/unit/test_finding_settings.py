"""A setting is found by words of its name, of what it does, and of the page that it is on."""

from django import forms

from settings_pages.saving import stored_in_words
from settings_pages.search import MOST, Place, find_settings


class Form(forms.Form):
    size = forms.ChoiceField(label="Passage size", choices=[("s", "Small")], help_text="How files are split")
    languages = forms.MultipleChoiceField(label="Languages", choices=[("deu", "German"), ("eng", "English")])
    strict = forms.BooleanField(label="Strict answers", help_text="The passage size stays")
    note = forms.CharField(label="Note")


PAGE = Place(name="Reading", address="/settings/reading/")
EVERY = [
    *PAGE.fields(Form(), ["strict", "size"]),
    PAGE.setting("Capacity", "room", more_words="megabytes"),
]


def names(typed: str) -> list[str]:
    return [one.name for one in find_settings(EVERY, typed)]


def test_what_is_called_so_comes_before_what_is_about_it() -> None:
    assert names("SIZE passage") == ["Passage size", "Strict answers"]
    assert names("megabyte") == ["Capacity"]
    assert names("reading split") == ["Passage size"]
    assert names("nothing of the kind") == names("  ") == []
    assert len(find_settings([PAGE.setting(f"Limit {n}", "x") for n in range(30)], "limit")) == MOST


def test_each_leads_to_its_field() -> None:
    assert find_settings(EVERY, "capacity")[0].address == "/settings/reading/#room"
    assert find_settings(EVERY, "strict")[0].address == "/settings/reading/#set-strict"


def test_what_is_stored_is_told_in_words() -> None:
    form = Form(initial={"size": "s", "languages": ["eng", "deu"], "strict": True, "note": ""})
    told = [stored_in_words(form, name) for name in form.fields]
    assert told == ["Small", "English, German", "Yes", "empty"]
    assert stored_in_words(Form(initial={"languages": []}), "languages") == "none"
