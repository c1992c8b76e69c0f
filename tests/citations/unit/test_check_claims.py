"""`manage.py check_claims`: lines in, the same lines with a verdict out; a bad line is told and harms no
other.
"""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


def lines(path: Path) -> list[dict[str, object]]:
    out = io.StringIO()
    try:
        call_command("check_claims", str(path), stdout=out)
    finally:
        told = [json.loads(line) for line in out.getvalue().splitlines()]
    return told


def test_each_line_comes_back_with_its_verdict(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    pairs = [
        {"claim": "Sales rose.", "quote": "Sales increased.", "id": 7},
        {"claim": "Sales fell.", "quote": "Sales increased."},
        {"claim": "Sales rose.", "quote": "Sales rose", "context": "Sales rose unless restated."},
    ]
    file.write_text("\n".join(map(json.dumps, pairs)), encoding="utf-8")
    told = lines(file)
    assert [(each["supported"], each["support"]) for each in told] == [
        (True, "supported"),
        (False, "contradicted"),
        (False, "needs_your_eye"),
    ]
    assert told[0]["id"] == 7
    assert told[1]["reason"] == "The claim says “fell”, the quote “increased”."
    spoke = next(each for each in told[1]["checks"] if not each["passed"])  # type: ignore[attr-defined]
    assert (spoke["name"], spoke["claimed"], spoke["quoted"]) == ("opposites", "fell", "increased")


def test_a_bad_line_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(
        b'not json\n[1]\n\n{"claim": "Sales rose."}\n{"claim": 5, "quote": "x"}\n\xff\xfe\n'
        + b'{"claim": "Sales rose.", "quote": "Sales rose."}\n'
        + b"[" * 100_000
    )
    out = io.StringIO()
    with pytest.raises(CommandError, match="6 lines could not be checked"):
        call_command("check_claims", str(file), stdout=out)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each.get("line") for each in told] == [1, 2, 4, 5, 6, None, 8]
    assert told[5]["supported"] is True


def test_half_a_character_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    pairs = [
        {"claim": "\ud800 sales fell", "quote": "Sales fell."},
        {"claim": "Sales fell.", "quote": "Sales fell."},
    ]
    file.write_text("\n".join(map(json.dumps, pairs)), encoding="utf-8")
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 line could not be checked"):
        call_command("check_claims", str(file), stdout=out)
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert "half of a character" in first["error"]
    assert second["supported"] is True


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Can't read"):
        lines(tmp_path / "missing.jsonl")


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('{"claim": "Sales rose.", "quote": "Sales rose."}\n'))
    out = io.StringIO()
    call_command("check_claims", "-", stdout=out)
    assert json.loads(out.getvalue())["supported"] is True


def test_a_summary_counts_verdicts_by_truth_and_the_comparisons_that_objected(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    pairs = [
        {"claim": "Sales rose.", "quote": "Sales increased.", "supported": True},
        {"claim": "Sales fell.", "quote": "Sales increased.", "supported": False},
    ]
    file.write_text("\n".join(map(json.dumps, pairs)), encoding="utf-8")
    out = io.StringIO()
    call_command("check_claims", str(file), "--summary", stdout=out)
    told = out.getvalue().splitlines()
    assert "all: green: 100.0 % of 1 true, 0.0 % of 1 false" in told
    assert "all: red: 0.0 % of 1 true, 100.0 % of 1 false" in told
    assert "all: red that is right: 100.0 % of 1" in told
    assert "all: opposites: 0 true, 1 false" in told
