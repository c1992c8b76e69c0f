"""Installing models of other people from a hub, a server of files and a folder, which may all misbehave."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import onnx
import psutil
import pytest
from django.conf import settings as live
from django.utils.translation import override
from onnx import TensorProto, helper

from localization.stored import retold
from providers.local_models import clients, embedder, sources, store, transfer, trial
from providers.local_models import hub as hub_source
from providers.local_models.configuration import read
from providers.local_models.cross_encoder import LocalEntailment, LocalReranker
from providers.local_models.embedder import LocalEmbedder
from providers.local_models.errors import NotInstalled
from providers.local_models.install import Wish, discard, install, plan
from providers.local_models.roles import LocalRole
from providers.protocols import ProviderError
from tests.processes import PATIENCE, lives, wait_until
from tests.providers.hub_server import REPOSITORY, HubServer
from tests.providers.small_models import COMMIT, embedding_model, graph, scoring_model

EMBEDDINGS, RERANK, ENTAILMENT = LocalRole.EMBEDDINGS, LocalRole.RERANK, LocalRole.ENTAILMENT
GRAPH = "onnx/model.onnx"


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MODELS_DIR = tmp_path / "data"
    monkeypatch.setattr(transfer, "PAUSE", 0.0)


@pytest.fixture
def hub(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is fetched from it is tried in this process: a child for each takes seconds."""
    monkeypatch.setattr(trial, "tried", lambda folder, graph, _, read: embedder.tried(folder, graph, read))
    with HubServer(embedding_model(tmp_path / "source", pooling="cls_token")) as server:
        settings.HUB_URL = server.address
        yield server


def wished(role: LocalRole = EMBEDDINGS, name: str = REPOSITORY, **more: Any) -> Wish:
    return Wish(role=role, name=name, **more)


def test_a_model_of_the_hub_is_shown_then_fetched_and_works_without_the_hub(hub: HubServer) -> None:
    planned = plan(wished(revision="main"))
    assert (planned.revision, planned.licence, planned.graph) == (COMMIT, "mit", GRAPH)
    assert planned.size == sum(file.size or 0 for file in planned.files) > 0
    assert not any("resolve" in path for path, _ in hub.requests), "looking fetches nothing"
    steps: list[tuple[str, int]] = []
    model = install(planned, lambda step, done: steps.append((step, done)))
    assert steps[-2:] == [("Fetching", planned.size), ("Trying it", planned.size)]
    assert all(COMMIT in path for path, _ in hub.requests if "resolve" in path)
    asked = len(hub.requests)
    assert store.find(EMBEDDINGS, model.identity) == model
    local = LocalEmbedder(model)
    vectors = local.embed(["who pays the rent", "the cat sleeps", "who pays the rent"])
    assert vectors.shape == (3, 8)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[0], vectors[1]), "pooling of its configuration: the first token is the same"
    assert local.count_tokens(["who pays", ""]) == [2, 0]
    assert len(hub.requests) == asked


def test_a_cut_transfer_goes_on_where_it_ended(hub: HubServer) -> None:
    planned = plan(wished())
    hub.cuts = 2
    install(planned)
    ranges = [told for path, told in hub.requests if path.endswith(GRAPH)]
    assert ranges[0] == ""
    assert [told.startswith("bytes=") for told in ranges[1:]] == [True, True]


def test_what_is_here_stays_for_the_next_try(hub: HubServer) -> None:
    hub.cuts = transfer.TRIES
    with pytest.raises(NotInstalled, match="goes on from there") as raised:
        install(plan(wished()))
    assert raised.value.transient
    hub.requests.clear()
    install(plan(wished()))
    assert [told for path, told in hub.requests if path.endswith("config.json")] == [], "whole files are kept"
    assert [told.startswith("bytes=") for path, told in hub.requests if path.endswith(GRAPH)] == [True]


def test_a_server_that_cannot_go_on_begins_again(hub: HubServer) -> None:
    hub.cuts, hub.ranges = 1, False
    assert install(plan(wished())).dimensions == 8


@pytest.mark.parametrize("path", [GRAPH, "config.json"])
def test_another_content_than_the_list_says_is_refused_and_not_kept(hub: HubServer, path: str) -> None:
    hub.swapped.add(path)
    with pytest.raises(NotInstalled, match="is not what its source says"):
        install(plan(wished()))
    assert store.installed() == []
    assert not [file for file in store.root().rglob("*") if file.is_file() and file.suffix != ".lock"]


def test_a_slow_server_is_given_up(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "PATIENCE", httpx.Timeout(5, read=0.2))
    monkeypatch.setattr(transfer, "TRIES", 1)
    hub.slow = 1.0
    with pytest.raises(NotInstalled, match="broke off"):
        install(plan(wished()))
    monkeypatch.setattr(clients, "PATIENCE", httpx.Timeout(5))
    monkeypatch.setattr(transfer, "LOOKED_AT", 0.1)
    monkeypatch.setattr(transfer, "SLOWEST", 10**6)
    hub.slow = 0.3
    with pytest.raises(NotInstalled, match="bytes a second"):
        install(plan(wished()))


def told_of_the_graph(hub: HubServer, monkeypatch: pytest.MonkeyPatch, **told: Any) -> None:
    """Let the hub's list say this of its graph."""
    listing = hub.listing()
    for row in listing["siblings"]:
        if row["rfilename"] == GRAPH:
            row.pop("lfs")
            row.update(told)
    monkeypatch.setattr(hub, "listing", lambda: listing)


@pytest.mark.parametrize("path", ["{}/other.onnx", "../../../../other.onnx", "onnx/../../../../other.onnx"])
def test_a_hub_names_no_file_outside_the_models_folder(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    other = tmp_path / "other.onnx"
    other.write_text("of somebody else")
    told_of_the_graph(hub, monkeypatch, rfilename=path.format(tmp_path))
    serve = hub.send_file
    monkeypatch.setattr(hub, "send_file", lambda to, name: serve(to, GRAPH if "other" in name else name))
    with pytest.raises(NotInstalled, match="There is no ONNX file"):
        install(plan(wished()))
    assert other.read_text() == "of somebody else"


@pytest.mark.parametrize(
    "told", [{"size": "4"}, {"size": -1}, {"size": 10**30}, {"blobId": 5}, {"rfilename": 1}]
)
def test_a_list_of_wrong_types_is_refused(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any]
) -> None:
    told_of_the_graph(hub, monkeypatch, **told)
    with pytest.raises(NotInstalled, match="does not answer as a hub does"):
        plan(wished())


def test_texts_of_a_model_that_nothing_can_keep_do_not_stop_it(hub: HubServer) -> None:
    prompts = {"prompts": {"query": "ask\ud800: "}}
    (hub.folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    model = install(plan(wished()))
    assert LocalEmbedder(model).embed_questions(["who pays"]).shape == (1, 8)


def test_stopping_one_installation_leaves_those_of_longer_names(tmp_path: Path) -> None:
    others = store.partial_folder(EMBEDDINGS, "acme/small", COMMIT)
    others.mkdir(parents=True)
    own = store.partial_folder(EMBEDDINGS, "acme", COMMIT)
    own.mkdir()
    discard(wished(name="acme"))
    assert others.is_dir()
    assert not own.exists()


def test_what_is_listed_and_not_there_is_told(hub: HubServer) -> None:
    hub.missing.add(GRAPH)
    with pytest.raises(NotInstalled, match=r"model\.onnx is not there"):
        install(plan(wished()))


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (wished(name="acme/other"), "has no model acme/other"),
        (wished(revision="gone"), "has no revision “gone”"),
        (wished(graph="onnx/model_fp16.onnx"), "There is no onnx/model_fp16.onnx"),
        (wished(name="../../etc"), "is not a valid name"),
        (wished(name="a/b/c"), "is not a valid name"),
        (wished(name=f"{'a' * 96}/{'b' * 96}"), "is not a valid name"),
        (wished(origin="http://[::1"), "https://"),
        (wished(origin="ftp://example.org"), "https://"),
        (wished(origin="/nowhere/at/all"), "is not a folder"),
        (wished(origin="/nowhere", revision="main"), "Only a model on the hub"),
    ],
)
def test_what_cannot_be_had_is_told(hub: HubServer, wish: Wish, told: str) -> None:
    with pytest.raises(NotInstalled, match=told):
        plan(wish)


def test_a_hub_that_does_not_answer_may_later(settings: Any) -> None:
    settings.HUB_URL = "http://127.0.0.1:9"
    with pytest.raises(NotInstalled, match="does not answer") as raised:
        plan(wished())
    assert raised.value.transient


@pytest.mark.parametrize("part", ["head", "body"])
@pytest.mark.parametrize("path", [f"/api/models/{REPOSITORY}", "/files/SHA256SUMS"])
def test_a_list_that_comes_a_byte_at_a_time_is_given_up(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch, path: str, part: str
) -> None:
    for module in (sources, hub_source):
        monkeypatch.setattr(module, "LIST_PATIENCE", 0.2)
    hub.trickles[path] = part
    begun = time.monotonic()
    with pytest.raises(NotInstalled, match="does not answer") as refusal:
        plan(wished(origin="hub" if "api" in path else f"{hub.address}/files"))
    assert refusal.value.transient
    assert time.monotonic() - begun < PATIENCE


def test_a_redirection_to_a_private_address_is_not_followed_for_a_page(hub: HubServer) -> None:
    """The hub that the operator named may itself be in a private network; where it sends to may not."""
    with HubServer(hub.folder) as elsewhere:
        hub.redirect = f"{elsewhere.address}/files/{GRAPH}"
        with pytest.raises(NotInstalled, match="not public"):
            install(plan(wished(public_only=True)))
        assert not elsewhere.requests
        assert install(plan(wished())).dimensions == 8, "the command line is the administrator's own"


def test_the_page_names_no_private_server_of_files(hub: HubServer) -> None:
    with pytest.raises(NotInstalled, match="not a public address"):
        plan(wished(origin=f"{hub.address}/files", public_only=True))
    assert not hub.requests


def test_a_server_of_files_serves_too(hub: HubServer) -> None:
    (hub.folder / "README.md").write_text(
        "---\nlanguage: en\nlicense: apache-2.0\ntags:\n- x\n---\n# A model"
    )
    planned = plan(wished(origin=f"{hub.address}/files/"))
    assert planned.licence == plan(wished(origin=str(hub.folder))).licence == "apache-2.0"
    assert [file.path for file in planned.files] == [
        "config.json",
        "tokenizer.json",
        "1_Pooling/config.json",
        GRAPH,
    ]
    assert planned.size
    hub.cuts = 1
    assert install(planned).configuration.pooling == "cls"


def test_the_sums_of_a_server_of_files_are_checked(hub: HubServer) -> None:
    (hub.folder / "SHA256SUMS").write_text(f"{'0' * 64}  {GRAPH}\n")
    with pytest.raises(NotInstalled, match="is not what its source says"):
        install(plan(wished(origin=f"{hub.address}/files")))


def test_the_same_files_are_the_same_model_from_wherever_they_come(hub: HubServer) -> None:
    from_hub = install(plan(wished()))
    from_folder = install(plan(wished(origin=str(hub.folder))))
    assert from_folder.identity == from_hub.identity
    assert len(store.installed()) == 1
    (hub.folder / "config.json").write_text(json.dumps({"max_position_embeddings": 16}))
    assert install(plan(wished(origin=str(hub.folder)))).identity != from_hub.identity


def test_a_full_disk_is_told_before_anything_is_fetched(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**10, 10**10, 10**9))
    with pytest.raises(NotInstalled, match="has 1,000 MB free"):
        plan(wished())


def test_questions_and_passages_are_read_as_the_model_expects(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "e5")
    told = {"prompts": {"query": "query: ", "passage": ""}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(told))
    model = LocalEmbedder(install(plan(wished(name="a/b", origin=str(folder)))))
    question, passage = model.embed_questions(["the rent"])[0], model.embed(["the rent"])[0]
    assert not np.allclose(question, passage)
    assert np.allclose(question, model.embed(["query: the rent"])[0])
    assert model.embed(["word " * 500]).shape == (1, 8), "a text longer than the model reads is cut"


def test_facts_of_a_known_model_stand_in_for_what_its_files_leave_out(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "copy", max_position_embeddings=512)
    known = read(folder, EMBEDDINGS, "somebody/Multilingual-E5-small")
    assert (known.question_prefix, known.passage_prefix, known.pooling) == ("query: ", "passage: ", "mean")
    assert known.max_tokens == 512
    unknown = read(folder, EMBEDDINGS, "somebody/else")
    assert (unknown.question_prefix, unknown.pooling) == ("", "mean")
    assert unknown.notes
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 1e30}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 128}))
    assert read(folder, EMBEDDINGS, "a/b").max_tokens == 128
    (folder / "config.json").write_text(
        json.dumps({"model_type": "xlm-roberta", "pad_token_id": 1, "max_position_embeddings": 66})
    )
    assert read(folder, EMBEDDINGS, "a/b").max_tokens == 64


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("config.json", "[]", "the structure"),
        ("config.json", "[" * 100_000, "is not valid JSON"),
        ("1_Pooling/config.json", '{"pooling_mode_weightedmean_tokens": true}', "weightedmean"),
        ("modules.json", "{}", "the structure"),
    ],
)
def test_files_that_say_what_svq_does_not_know_are_refused(
    tmp_path: Path, name: str, content: str, told: str
) -> None:
    folder = embedding_model(tmp_path / "odd", pooling="mean_tokens")
    (folder / name).write_text(content)
    with pytest.raises(NotInstalled, match=told):
        read(folder, EMBEDDINGS, "a/b")


def test_layers_that_svq_would_leave_out_are_a_refusal(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "dense")
    modules = [
        {"type": f"sentence_transformers.models.{name}"} for name in ("Transformer", "Pooling", "Dense")
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(NotInstalled, match="leave these layers out"):
        install(plan(wished(name="a/b", origin=str(folder))))


def test_a_reranker_scores_from_0_to_1_and_ends_in_time(tmp_path: Path) -> None:
    folder = scoring_model(tmp_path / "cross", {"tenant": [5], "landlord": [0]})
    model = install(plan(wished(RERANK, "a/cross", origin=str(folder))))
    texts = ["the cat", "the landlord", "the tenant"] * 4
    scores = LocalReranker(model, 20).score("who pays", texts)
    assert scores[:3] == sorted(scores[:3])
    assert 0 <= min(scores) < 0.1
    assert 0.9 < max(scores) <= 1
    with pytest.raises(ProviderError, match="within 0 seconds"):
        LocalReranker(model, 0).score("who pays", texts)


def test_a_model_of_entailment_needs_to_name_its_outputs(tmp_path: Path) -> None:
    weights = {"tenant": [0, 9, 0], "not": [20, 0, 0]}
    labels = ["CONTRADICTION", "Entailment", "neutral"]
    model = install(
        plan(wished(ENTAILMENT, "a/nli", origin=str(scoring_model(tmp_path / "nli", weights, labels))))
    )
    judge = LocalEntailment(model)
    assert judge.opinion("the tenant pays", "the tenant pays").agrees
    assert judge.opinion("the tenant pays", "the tenant does not").contradicts > 0.9
    unnamed = scoring_model(tmp_path / "unnamed", weights, ["LABEL_0", "LABEL_1", "LABEL_2"])
    with pytest.raises(NotInstalled, match="names no output “entailment”"):
        install(plan(wished(ENTAILMENT, "a/b", origin=str(unnamed))))
    known = read(unnamed, ENTAILMENT, "copy/nli-deberta-v3-small")
    assert known.labels == ("contradiction", "entailment", "neutral")


def test_outputs_without_names_are_told_apart_by_plain_pairs(tmp_path: Path) -> None:
    follows = {"The": [0, 0, 5], "Two": [0, 0, 5]}
    denied = {word: [0, 9, 0] for word in ("not", "900", "Nobody")}
    apart = {word: [9, 0, 0] for word in ("cat", "bridge", "school.")}
    unnamed = scoring_model(
        tmp_path / "unnamed", {**follows, **denied, **apart}, ["LABEL_0", "LABEL_1", "LABEL_2"]
    )
    model = install(plan(wished(ENTAILMENT, "a/b", origin=str(unnamed))))
    assert model.configuration.labels == ("neutral", "contradiction", "entailment")
    assert "does not name the outputs" in model.configuration.notes[0]
    assert LocalEntailment(model).opinion("The rent", "The rent").agrees
    names = ["entailment", "contradiction", "neutral"]
    turned = scoring_model(tmp_path / "turned", {**follows, **denied, **apart}, names)
    model = install(plan(wished(ENTAILMENT, "a/turned", origin=str(turned))))
    assert "the wrong order" in model.configuration.notes[0]


def test_a_graph_made_for_one_text_of_one_length_serves(tmp_path: Path) -> None:
    free, fixed = embedding_model(tmp_path / "free"), embedding_model(tmp_path / "fixed")
    made = onnx.load(str(fixed / GRAPH))
    for taken in made.graph.input:
        texts, tokens = taken.type.tensor_type.shape.dim
        texts.dim_value, tokens.dim_value = 1, 16
    onnx.save(made, str(fixed / GRAPH))
    several = ["the tenant", "the landlord pays the rent", "who pays"]
    one, other = (install(plan(wished(name=f"a/{at.name}", origin=str(at)))) for at in (free, fixed))
    assert (one.configuration.max_tokens, other.configuration.max_tokens) == (32, 16)
    assert np.allclose(LocalEmbedder(one).embed(several), LocalEmbedder(other).embed(several), atol=1e-5)
    assert LocalEmbedder(other).embed(["word " * 30]).shape == (1, 8)


def test_the_output_that_holds_vectors_is_found_among_others(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "usual")
    usual = install(plan(wished(name="a/usual", origin=str(folder))))
    made = onnx.load(str(folder / GRAPH))
    made.graph.node[0].output[0] = made.graph.output[0].name = "onnx::Shape_422"
    made.graph.node.append(helper.make_node("Identity", ["input_ids"], ["463"]))
    made.graph.output.insert(0, helper.make_tensor_value_info("463", TensorProto.INT64, ["texts", "tokens"]))
    onnx.save(made, str(folder / GRAPH))
    odd = install(plan(wished(name="a/odd", origin=str(folder))))
    texts = ["the tenant", "the landlord pays"]
    assert np.array_equal(LocalEmbedder(usual).embed(texts), LocalEmbedder(odd).embed(texts))
    made.graph.node.append(helper.make_node("Identity", ["onnx::Shape_422"], ["464"]))
    made.graph.output.append(helper.make_tensor_value_info("464", TensorProto.FLOAT, ["texts", "tokens", 8]))
    onnx.save(made, str(folder / GRAPH))
    with pytest.raises(NotInstalled, match="nothing tells which one"):
        install(plan(wished(name="a/several", origin=str(folder))))


def test_what_the_small_files_forbid_is_told_before_the_graph_is_fetched(
    hub: HubServer, tmp_path: Path
) -> None:
    told = {"pooling_mode_weightedmean_tokens": True}
    (tmp_path / "source/1_Pooling/config.json").write_text(json.dumps(told))
    with pytest.raises(NotInstalled, match="asks for the pooling “weightedmean_tokens”"):
        install(plan(wished()))
    assert not any(path.endswith(".onnx") for path, _ in hub.requests)


def hostile(folder: Path, name: str) -> Path:
    """A model that looks like one and does harm."""
    embedding_model(folder)
    gather = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    table, shape = {"table": np.zeros((20, 8), np.float32)}, ["texts", "tokens", 8]
    match name:
        case "outside":
            model = graph([gather], table, "last_hidden_state", shape)
            weights = model.graph.initializer[0]
            weights.ClearField("raw_data")
            weights.data_location = TensorProto.EXTERNAL
            weights.external_data.add(key="location", value="../../../../../../etc/passwd")
        case "operator":
            node = helper.make_node("Steal", ["input_ids"], ["last_hidden_state"], domain="evil")
            model = graph([node], {}, "last_hidden_state", shape, domains=["evil"])
        case "huge":
            nodes = [
                helper.make_node("ConstantOfShape", ["many"], ["zeros"]),
                helper.make_node("Gather", ["zeros", "input_ids"], ["last_hidden_state"]),
            ]
            model = graph(nodes, {"many": np.array([10**7, 10**3], np.int64)}, "last_hidden_state", shape)
        case "inputs":
            model = graph([gather], table, "last_hidden_state", shape)
            model.graph.input.append(helper.make_tensor_value_info("past_key_values", TensorProto.FLOAT, [1]))
        case "endless":
            body = helper.make_graph(
                [
                    helper.make_node("Identity", ["go"], ["go_on"]),
                    helper.make_node("Identity", ["before"], ["after"]),
                ],
                "body",
                [
                    helper.make_tensor_value_info("number", TensorProto.INT64, []),
                    helper.make_tensor_value_info("go", TensorProto.BOOL, []),
                    helper.make_tensor_value_info("before", TensorProto.FLOAT, None),
                ],
                [
                    helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
                    helper.make_tensor_value_info("after", TensorProto.FLOAT, None),
                ],
            )
            nodes = [
                helper.make_node("Gather", ["table", "input_ids"], ["words"]),
                helper.make_node("Loop", ["", "yes", "words"], ["last_hidden_state"], body=body),
            ]
            model = graph(nodes, {**table, "yes": np.array(True)}, "last_hidden_state", shape)
    onnx.save(model, str(folder / GRAPH))
    return folder


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("outside", "outside its folder"),
        ("operator", "operators from evil"),
        ("huge", "MB that a worker may have"),
        ("inputs", "asks for past_key_values"),
        ("endless", "longer than 3 seconds"),
    ],
)
def test_a_hostile_graph_is_refused_and_this_process_goes_on(
    tmp_path: Path, name: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "endless":
        monkeypatch.setattr(trial, "SECONDS", 3)
    with pytest.raises(NotInstalled, match=told) as refused:
        install(plan(wished(name="a/b", origin=str(hostile(tmp_path / "hostile", name)))))
    assert store.installed() == []
    with override("fr"):
        assert retold(refused.value.message) != refused.value.message, "also what another process has said"


WORKER = """
import sys
from pathlib import Path
from django.conf import settings
settings.configure(WORKER_MEMORY_BYTES=2**31)
from providers.local_models.configuration import read
from providers.local_models.roles import LocalRole
from providers.local_models.trial import tried
folder = Path(sys.argv[1])
tried(folder, sys.argv[2], LocalRole.EMBEDDINGS, read(folder, LocalRole.EMBEDDINGS, "a/b"))
"""


def test_what_tries_a_model_ends_with_a_worker_that_is_killed(tmp_path: Path) -> None:
    folder = hostile(tmp_path / "hostile", "endless")
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(folder), GRAPH], cwd=live.BASE_DIR)
    with worker:
        trials = wait_until(psutil.Process(worker.pid).children, "the trial")
        wait_until(lambda: trials[0].cpu_times().user > 2, "the trial's work")
        worker.kill()
    wait_until(lambda: not lives(trials[0].pid), "its end")


def test_no_other_format_is_taken(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "pickled")
    (folder / GRAPH).rename(folder / "pytorch_model.bin")
    with pytest.raises(NotInstalled, match="never a pickle"):
        plan(wished(name="a/b", origin=str(folder)))
    embedding_model(tmp_path / "damaged")
    (tmp_path / "damaged" / GRAPH).write_bytes(b"\x80\x04no graph" * 1000)
    with pytest.raises(NotInstalled, match="not an ONNX file"):
        install(plan(wished(name="a/b", origin=str(tmp_path / "damaged"))))


def test_a_model_is_there_while_it_is_installed_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = wished(name="a/b", origin=str(embedding_model(tmp_path / "source")))
    model = install(plan(wish))

    real = shutil.rmtree

    def killed(path: Path, **more: Any) -> None:
        if Path(path).exists():
            real(path, **more)
            raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt):  # while gigabytes are being deleted
        install(plan(wish))
    monkeypatch.undo()
    assert (store.folder_of(EMBEDDINGS, model.identity) / GRAPH).is_file()


def test_where_models_are_kept_is_the_data_folder() -> None:
    assert store.root().is_relative_to(live.MODELS_DIR)
