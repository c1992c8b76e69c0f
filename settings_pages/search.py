"""Finding a setting by words of its name and of what it does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django import forms

MOST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing that can be set, or looked up; `address` leads to it, `place` names its page."""

    name: str
    help: str
    place: str
    address: str
    more_words: str  # that people may type for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A page of settings, by its name and address."""

    name: str
    address: str

    def setting(self, name: str, anchor: str, *, help: str = "", more_words: str = "") -> Setting:
        """Where the element `anchor` of the page is it."""
        return Setting(
            name=name, help=help, place=self.name, address=f"{self.address}#{anchor}", more_words=more_words
        )

    def fields(
        self, form: forms.BaseForm, names: Iterable[str], more_words: Mapping[str, str] | None = None
    ) -> list[Setting]:
        """Those that settings_pages/_field.html shows on the page. more_words: of a field, what else it
        may be called.
        """
        words = more_words or {}
        return [
            self.setting(
                str(field.label),
                f"set-{field.name}",
                help=str(field.help_text),
                more_words=words.get(field.name, ""),
            )
            for field in map(form.__getitem__, names)
        ]


def find_settings(settings: Iterable[Setting], typed: str) -> list[Setting]:
    """Those with all the words, in any order and case; first those that have them in their name, then those
    that people may call so.
    """
    words = typed.lower().split()
    if not words:
        return []

    def holds(text: str) -> bool:
        return all(word in text.lower() for word in words)

    every = list(settings)
    named = [one for one in every if holds(one.name)]
    called = [one for one in every if holds(f"{one.name} {one.more_words}")]
    about = [one for one in every if holds(f"{one.name} {one.help} {one.place} {one.more_words}")]
    return list(dict.fromkeys([*named, *called, *about]))[:MOST]
