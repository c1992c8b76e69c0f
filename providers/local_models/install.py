"""Installing a model: what would be fetched, then fetching, trying and keeping it."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from filelock import FileLock, Timeout
from onnxruntime import get_available_providers

from localization.stored import said
from providers.gguf import engine, memory
from providers.inference.sessions import GPU
from providers.local_models import configuration, store, transfer, trial
from providers.local_models.configuration import CONFIG, OTHERS, TOKENIZER, Configuration
from providers.local_models.errors import NotInstalled
from providers.local_models.graph_files import GGUF, gguf_of, graph_of, weights_of
from providers.local_models.hub import HubSource
from providers.local_models.known import known, repository_of
from providers.local_models.roles import LocalRole, is_name, is_path
from providers.local_models.sources import FolderSource, Source, SourceFile, WebSource
from providers.local_models.store import Installed

HUB = "hub"
LARGEST_MODEL = 4 * 1024**3  # bytes, all files together
LARGEST_GGUF = 24 * 1024**3  # bytes, of a language model
LARGEST_TOKENIZER = 64 * 1024**2
LEFT_FREE = 1024**3  # bytes of the disk: with less SVQ does not start


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """origin: "hub", the address of a server of files, or a folder; of a language model also its file there.
    revision: of the hub. graph: the path of an ONNX or GGUF file where there are several. public_only:
    whoever wishes it may name no private address.
    """

    role: LocalRole
    name: str
    origin: str = HUB
    revision: str = ""
    graph: str = ""
    public_only: bool = False

    @property
    def largest(self) -> int:
        """Bytes of all files together."""
        return LARGEST_GGUF if self.role == LocalRole.CHAT else LARGEST_MODEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be fetched. size: bytes, as far as the source tells; free: of the disk."""

    wish: Wish
    source: Source
    files: tuple[SourceFile, ...]
    graph: str
    revision: str
    licence: str
    size: int
    free: int

    @property
    def place(self) -> str:
        return self.source.place

    @property
    def memory(self) -> str:
        """What a language model will need, roughly, in words; "" for other models."""
        if self.wish.role != LocalRole.CHAT or not self.size:
            return ""
        needs, here = memory.gigabytes(memory.roughly(self.size)), memory.gigabytes(memory.available())
        told = gettext("About {size} of memory while it runs; {available} are available now.")
        return told.format(size=needs, available=here)

    @property
    def small(self) -> int:
        """How many of the files, the first ones, tell how the model wants to be used."""
        return sum(file.path in (CONFIG, TOKENIZER, *OTHERS) for file in self.files)

    @property
    def has_hashes(self) -> bool:
        """Whether every file is checked by a hash that the source tells."""
        return all(file.expected_hash for file in self.files)


def plan(wish: Wish) -> Plan:
    """Ask the source. Raises NotInstalled."""
    if not is_name(wish.name):
        raise NotInstalled(
            said(
                "“{name}” is not a valid name: a name has letters, digits, dots and dashes, and at "
                "most one slash.",
                name=wish.name,
            )
        )
    wish = _with_file(wish)
    if wish.role == LocalRole.CHAT and not engine.is_here():
        raise NotInstalled(engine.MISSING)
    source = _source(wish)
    listing = source.listing()
    named = [file for file in listing.files if is_path(file.path)]
    if wish.role == LocalRole.CHAT:
        graph = gguf_of(named, wish.graph)
        files = tuple(file for file in named if file.path == graph)
    else:
        graph = graph_of(named, wish.graph, has_gpu=bool({*GPU} & {*get_available_providers()}))
        files = _needed(named, graph)
    if isinstance(source, HubSource) and (bare := [each.path for each in files if not each.expected_hash]):
        raise NotInstalled(
            said("The hub gives no hash for {bare}, so the file could not be checked.", bare=bare[0])
        )
    facts = known(wish.name)
    size = sum(file.size or 0 for file in files)
    free = _free()
    if size > wish.largest:
        raise NotInstalled(said("The model is larger than {largest} GB.", largest=wish.largest // 1024**3))
    if wish.role == LocalRole.CHAT and size + memory.WORKING + memory.LEFT > memory.available():
        raise NotInstalled(
            said(
                "The model has {size}, all of which it needs in memory, and {other_size} are "
                "available on this machine. Choose a smaller one.",
                size=memory.gigabytes(size),
                other_size=memory.gigabytes(memory.available()),
            )
        )
    if size + LEFT_FREE > free:
        raise NotInstalled(
            said(
                "The model needs {size}. The disk has {other_size} free, of which {size3} must stay free.",
                size=_megabytes(size),
                other_size=_megabytes(free),
                size3=_megabytes(LEFT_FREE),
            )
        )
    return Plan(
        wish=wish,
        source=source,
        files=files,
        graph=graph,
        revision=listing.revision,
        size=size,
        free=free,
        licence=listing.licence or (facts.licence if facts and facts.role == wish.role else ""),
    )


def install(planned: Plan, told: Callable[[str, int], None] = lambda step, done: None) -> Installed:
    """Fetch, try and keep it. `told` is called with the step and the bytes fetched so far, and may raise to
    stop: what was fetched stays for the next try. Raises NotInstalled.
    """
    wish = planned.wish
    name = repository_of(wish.name)
    made_in = store.partial_folder(wish.role, name, planned.revision)
    made_in.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(f"{made_in}.lock", timeout=0):
            digests = _fetched(planned, made_in, told)
            told(gettext_noop("Trying it"), planned.size)
            read = _read(planned, made_in)
            dimensions, found = trial.tried(made_in, planned.graph, wish.role, read)
            identity = store.identity_of(name, digests)
            model = Installed(
                role=wish.role,
                name=name,
                identity=identity,
                folder=store.folder_of(wish.role, identity),
                graph=planned.graph,
                configuration=found,
                dimensions=dimensions,
                place=planned.place,
                revision=planned.revision,
                licence=planned.licence,
                files=digests,
                size=sum((made_in / path).stat().st_size for path in digests),
                when=timezone.now().isoformat(timespec="seconds"),
            )
            store.keep(model, made_in)
            return model
    except Timeout as error:
        raise NotInstalled(said("{name} is being installed already.", name=name), transient=True) from error
    except NotInstalled as error:
        if not error.transient:
            shutil.rmtree(made_in, ignore_errors=True)
        raise


def discard(wish: Wish) -> None:
    """Delete what earlier tries have fetched."""
    name = repository_of(wish.name)
    begun = store.partial_folder(wish.role, name, "").name.removesuffix("files")
    for folder in (store.root() / store.PARTIAL).glob(f"{begun}*"):
        if folder.is_dir() and "-" not in folder.name.removeprefix(begun):  # else of a longer name
            shutil.rmtree(folder, ignore_errors=True)


def _fetched(planned: Plan, made_in: Path, told: Callable[[str, int], None]) -> dict[str, str]:
    """The SHA-256 of each file, by path. The small files are checked before the large ones are fetched."""
    digests: dict[str, str] = {}
    before = 0

    def here(size: int) -> None:
        if before + size > planned.size and before + size + LEFT_FREE > planned.free:
            raise NotInstalled(gettext("The disk has no room for the model."))
        told("Fetching", before + size)

    for number, file in enumerate(planned.files):
        if number == planned.small:
            _read(planned, made_in)
        most = _largest(file.path, planned.wish)
        if most == planned.wish.largest:
            most -= before
        digests[file.path] = transfer.fetch(planned.source, file, made_in / file.path, most, here)
        before += (made_in / file.path).stat().st_size
    for path in sorted(made_in.rglob("*")):
        if path.is_file() and path.relative_to(made_in).as_posix() not in digests:
            path.unlink()
    return digests


def _read(planned: Plan, made_in: Path) -> Configuration:
    """What its small files say; a GGUF file has none, and is read when it is tried. Raises NotInstalled."""
    if planned.wish.role == LocalRole.CHAT:
        return Configuration(max_tokens=configuration.SHORTEST)
    return configuration.read(made_in, planned.wish.role, repository_of(planned.wish.name))


def _largest(path: str, wish: Wish) -> int:
    if path == TOKENIZER:
        return LARGEST_TOKENIZER
    return configuration.LARGEST_JSON if path.endswith(".json") else wish.largest


def _with_file(wish: Wish) -> Wish:
    """A language model's place may be named by its file: then that is the one that is asked for."""
    if wish.role != LocalRole.CHAT or not wish.origin.lower().endswith(GGUF):
        return wish
    folder, _, name = wish.origin.rpartition("/")
    return replace(wish, origin=folder or ".", graph=name)


def _source(wish: Wish) -> Source:
    if wish.origin == HUB:
        return HubSource(
            settings.HUB_URL, repository_of(wish.name), wish.revision, public_only=wish.public_only
        )
    if wish.revision:
        raise NotInstalled(gettext("Only a model on the hub has revisions."))
    if "://" in wish.origin:
        return WebSource(
            wish.origin,
            public_only=wish.public_only,
            graph=wish.graph,
            alone=wish.role == LocalRole.CHAT,
        )
    return FolderSource(Path(wish.origin))


def _needed(listed: Sequence[SourceFile], graph: str) -> tuple[SourceFile, ...]:
    """The small files first: they show early whether the model can be used."""
    by_path = {file.path: file for file in listed}
    for name in (CONFIG, TOKENIZER):
        if name not in by_path:
            raise NotInstalled(said("{name} is missing: SVQ cannot use the model without it.", name=name))
    paths = [
        CONFIG,
        TOKENIZER,
        *(path for path in OTHERS if path in by_path),
        *weights_of(by_path, graph),
        graph,
    ]
    return tuple(by_path[path] for path in paths)


def _free() -> int:
    store.root().mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(store.root()).free


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
