"""Prompts are Markdown files whose holes must all be filled, and nothing else."""

from pathlib import Path

import pytest

from text.prompt import render


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    path = tmp_path / "answer.md"
    path.write_text("Answer {{question}} in {{ count }} lines. Again: {{question}}\n", encoding="utf-8")
    return path


def test_every_hole_is_filled(prompt: Path) -> None:
    assert render(prompt, question="why?", count=2) == "Answer why? in 2 lines. Again: why?\n"


def test_a_hole_inside_a_value_stays_text(prompt: Path) -> None:
    text = render(prompt, question="{{count}} and \\1", count=2)
    assert text == "Answer {{count}} and \\1 in 2 lines. Again: {{count}} and \\1\n"


def test_a_missing_value_is_named(prompt: Path) -> None:
    with pytest.raises(ValueError, match=r"answer\.md has holes without a value: count"):
        render(prompt, question="why?")


def test_an_unused_value_is_named(prompt: Path) -> None:
    with pytest.raises(ValueError, match=r"answer\.md has no hole for: tone"):
        render(prompt, question="why?", count=2, tone="kind")
