"""A benchmark measures an SVQ of its own, whatever the machine has set for one that people use."""

from pathlib import Path

import pytest

from benchmarks import throwaway


def test_neither_data_nor_models_of_another_svq_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "SVQ_S3_BUCKET", "SVQ_LLM_BASE_URL", "SVQ_OCR_BASE_URL", "SVQ_BENCH_DATA"):
        monkeypatch.setenv(name, "set")
    monkeypatch.setenv("SVQ_DATA_DIR", "/srv/svq")
    with throwaway.folder() as folder:
        given = throwaway.environment(folder / "var", SVQ_LLM_MODEL="scripted")
    ours = {name: value for name, value in given.items() if name.startswith(("SVQ_", "DATABASE"))}
    assert ours.pop("SVQ_BENCH_DATA") == "set"
    assert ours["SVQ_DATA_DIR"] == str(folder / "var")
    assert ours["SVQ_LLM_MODEL"] == "scripted"
    assert not {"DATABASE_URL", "SVQ_S3_BUCKET", "SVQ_LLM_BASE_URL", "SVQ_OCR_BASE_URL"} & ours.keys()
    assert not Path(folder).exists(), "it is thrown away"
