"""Hubs and servers of files that send without an end, packed, or with headers that cannot be sent back."""

import gzip
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from providers.local_models import install as installing
from providers.local_models import store, transfer
from providers.local_models.errors import NotInstalled
from providers.local_models.install import Wish, install, plan
from providers.local_models.roles import LocalRole
from tests.providers.hub_server import REPOSITORY, HubServer
from tests.providers.small_models import embedding_model

GRAPH = "onnx/model.onnx"
MEGABYTE = 2**20


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MODELS_DIR = tmp_path / "data"
    monkeypatch.setattr(transfer, "PAUSE", 0.0)


@pytest.fixture
def hub(settings: Any, tmp_path: Path) -> Any:
    with HubServer(embedding_model(tmp_path / "source", pooling="cls_token")) as server:
        settings.HUB_URL = server.address
        yield server


def wished(**more: Any) -> Wish:
    return Wish(role=LocalRole.EMBEDDINGS, name=REPOSITORY, **more)


def sent_instead(hub: HubServer, path: str, head: bytes, pieces: Callable[[], Iterable[bytes]]) -> list[int]:
    """Let that path be answered so; gives the sizes of the pieces that were sent."""
    sent, otherwise = list[int](), hub.answer

    def answer(to: BaseHTTPRequestHandler) -> None:
        if to.path.partition("?")[0] != path:
            return otherwise(to)
        to.close_connection = True
        try:
            to.wfile.write(b"HTTP/1.0 200 OK\r\n" + head + b"\r\n")
            for piece in pieces():
                to.wfile.write(piece)
                sent.append(len(piece))
        except OSError:
            pass

    hub.answer = answer  # type: ignore[method-assign]
    return sent


def long() -> Iterator[bytes]:
    yield b'{"id": "'
    yield from (b"a" * MEGABYTE for _ in range(200))


def packed() -> list[bytes]:
    """50 kilobytes that are 50 MB."""
    return [gzip.compress(b" " * 50 * MEGABYTE)]


def test_a_list_without_an_end_is_not_read_to_its_end(hub: HubServer) -> None:
    sent = sent_instead(hub, f"/api/models/{REPOSITORY}", b"content-type: application/json\r\n", long)
    with pytest.raises(NotInstalled, match="has no end"):
        plan(wished())
    assert sum(sent) < 60 * MEGABYTE


def test_room_is_left_on_the_disk_by_a_file_whose_size_nobody_tells(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = sent_instead(hub, f"/files/{GRAPH}", b"", long)
    planned = plan(wished(origin=f"{hub.address}/files"))
    sent.clear()
    monkeypatch.setattr(installing, "LEFT_FREE", planned.free - planned.size - 20 * MEGABYTE)
    with pytest.raises(NotInstalled, match="no room"):
        install(planned)
    assert sum(sent) < 60 * MEGABYTE
    assert not [file for file in store.root().rglob("*") if file.is_file() and file.suffix != ".lock"]


@pytest.mark.parametrize("name", ["config.json", "SHA256SUMS", GRAPH])
def test_what_a_server_of_files_packs_is_refused_and_not_unpacked(hub: HubServer, name: str) -> None:
    sent_instead(hub, f"/files/{name}", b"content-encoding: gzip\r\n", packed)
    with pytest.raises(NotInstalled, match="compressed"):
        install(plan(wished(origin=f"{hub.address}/files")))


@pytest.mark.parametrize("path", [f"/api/models/{REPOSITORY}", "/acme/small/resolve/{}/config.json"])
def test_what_a_hub_packs_is_refused_and_not_unpacked(hub: HubServer, path: str) -> None:
    sent_instead(hub, path.format(hub.listing()["sha"]), b"content-encoding: gzip\r\n", packed)
    with pytest.raises(NotInstalled, match="compressed"):
        install(plan(wished()))


def test_a_transfer_goes_on_though_its_version_cannot_be_sent_back(hub: HubServer) -> None:
    content = (hub.folder / GRAPH).read_bytes()
    head = f'content-length: {len(content)}\r\netag: "é☃"\r\n'.encode()
    sent_instead(hub, f"/files/{GRAPH}", head, lambda: [content[: len(content) // 2]])
    with pytest.raises(NotInstalled, match="broke off"):
        install(plan(wished(origin=f"{hub.address}/files")))
