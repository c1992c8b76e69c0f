"""Chooses among a model's files, and finds those with its weights."""

import platform
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _

from localization.stored import said
from providers.local_models.errors import NotInstalled
from providers.local_models.sources import SourceFile

WHOLE = "model.onnx"  # with numbers of 32 bits
QUANTISED = ("model_quantized.onnx", "model_int8.onnx")
FOR_PROCESSOR = {
    "x86_64": ("model_quint8_avx2.onnx",),
    "amd64": ("model_quint8_avx2.onnx",),
    "arm64": ("model_qint8_arm64.onnx",),
    "aarch64": ("model_qint8_arm64.onnx",),
}
VNNI = "model_qint8_avx512_vnni.onnx"
CPUINFO = Path("/proc/cpuinfo")
GGUF = ".gguf"
# From the most usual to the least; those in between are for other purposes, or worse than their size.
QUANTISATIONS = ("q4_k_m", "q4_k_s", "q4_0", "q5_k_m", "q6_k", "q8_0")
PART = re.compile(r"-\d{5}-of-\d{5}\.gguf$")
OF_PICTURES = "mmproj"  # the part of a model that looks at pictures


def graph_of(files: Sequence[SourceFile], asked: str, *, has_gpu: bool) -> str:
    """The path of the graph: the one that was asked for; on a CPU a quantised one, which is a quarter of the
    size and faster, on a GPU the full one. Raises NotInstalled.
    """
    graphs = [file.path for file in files if file.path.endswith(".onnx")]
    if asked:
        if asked not in graphs:
            raise NotInstalled(
                said("There is no {asked}. There is: {names}.", asked=asked, names=_listed(graphs))
            )
        return asked
    for name in _preferred(has_gpu=has_gpu):
        for path in (f"onnx/{name}", name):
            if path in graphs:
                return path
    if len(graphs) == 1:
        return graphs[0]
    if graphs:
        raise NotInstalled(said("There are several ONNX files; name one of: {names}.", names=_listed(graphs)))
    raise NotInstalled(_("There is no ONNX file. SVQ runs no other kind of model, and never a pickle."))


def gguf_of(files: Sequence[SourceFile], asked: str) -> str:
    """The path of a language model's file: the one that was asked for, else the one with 4 bits for a weight.
    Raises NotInstalled.
    """
    paths = [file.path for file in files if file.path.lower().endswith(GGUF)]
    whole = [path for path in paths if not PART.search(path) and OF_PICTURES not in path.lower()]
    if asked:
        if asked not in whole:
            raise NotInstalled(
                said("There is no {asked} in one file. There is: {names}.", asked=asked, names=_listed(whole))
            )
        return asked
    for quantisation in QUANTISATIONS:
        for path in whole:
            if path.lower().removesuffix(GGUF).endswith(quantisation):
                return path
    if len(whole) == 1:
        return whole[0]
    if whole:
        raise NotInstalled(said("There are several GGUF files; name one of: {names}.", names=_listed(whole)))
    if paths:
        raise NotInstalled(
            _("The model is in several parts. SVQ runs language models of a single GGUF file.")
        )
    raise NotInstalled(
        _(
            "There is no GGUF file. Its page on the hub often has a copy with “GGUF” in its "
            "name; install that."
        )
    )


def weights_of(paths: Mapping[str, object] | Collection[str], graph: str) -> list[str]:
    """The files beside a graph whose names say that they hold its weights."""
    folder, name = PurePosixPath(graph).parent, PurePosixPath(graph).name
    beside = (path for path in paths if PurePosixPath(path).parent == folder and path != graph)
    return sorted(
        path for path in beside if PurePosixPath(path).name.startswith((f"{name}_data", f"{name}.data"))
    )


def _preferred(*, has_gpu: bool) -> tuple[str, ...]:
    small = (
        *QUANTISED,
        *FOR_PROCESSOR.get(platform.machine().lower(), ()),
        *((VNNI,) if _has_vnni() else ()),
    )
    return (WHOLE, *small) if has_gpu else (*small, WHOLE)


def _has_vnni() -> bool:
    return CPUINFO.exists() and "avx512_vnni" in CPUINFO.read_text(errors="replace")


def _listed(graphs: Sequence[str]) -> Sequence[str]:
    return graphs[:12] or [said("none")]
