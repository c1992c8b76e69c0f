"""Tries a model in a process of its own, under limits of memory and time: `python -m
providers.local_models.trial_process FD` reads a JSON object and prints one. FD is the reading end of a pipe
that closes with the process that asks: then this one ends.
"""

import json
import resource
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from localization.sentences import worded
from localization.stored import words_of
from providers.gguf import lifeline
from providers.local_models.configuration import Configuration
from providers.local_models.errors import NotInstalled
from providers.local_models.roles import LocalRole
from providers.protocols import ProviderError

OURS: Final = ("", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc")  # of ONNX Runtime itself
MOST_DIMENSIONS = 4000  # of a vector that the database can index


def main() -> None:
    """Answers {"dimensions", "configuration"}, {"refused", "words"} or {"memory"}; a process without
    output has hit a limit.
    """
    lifeline.end_with_parent(int(sys.argv[1]))
    asked = json.loads(sys.stdin.read())
    _limit(asked["memory"], asked["seconds"])
    told: dict[str, Any]
    try:
        dimensions, configuration = _tried(asked)
        told = {"dimensions": dimensions, "configuration": configuration.as_json()}
    except MemoryError:
        told = {"memory": True}
    except ProviderError as error:
        told = {"refused": error.message, "words": words_of(error.message)}
    except Exception as error:  # noqa: BLE001 - a hostile file raises whatever its reader raises
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        why = (
            worded("llama.cpp refuses it. {reason}", reason=reason)
            if asked["role"] == LocalRole.CHAT
            else worded("ONNX Runtime or the tokenizer refuses it. {reason}", reason=reason)
        )
        told = {"refused": why, "words": why.words}
    sys.stdout.write(json.dumps(told))


def _limit(memory: int, seconds: int) -> None:
    """memory: bytes of data. No file may be written."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds * 4, seconds * 4))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _tried(asked: dict[str, Any]) -> tuple[int, Configuration]:
    """The dimensions of an embedding model, else 0, and its configuration with what was found out. Raises
    ProviderError, MemoryError, and what its readers raise.
    """
    folder, graph = Path(asked["folder"]), asked["graph"]
    configuration, role = Configuration.from_json(asked["configuration"]), LocalRole(asked["role"])
    if role == LocalRole.CHAT:
        return 0, _written(folder / graph, configuration)
    from providers.local_models import cross_encoder, embedder

    _examine(folder / graph)
    if role != LocalRole.EMBEDDINGS:
        return 0, cross_encoder.tried(folder, graph, configuration, role)
    dimensions, configuration = embedder.tried(folder, graph, configuration)
    if dimensions > MOST_DIMENSIONS:
        raise NotInstalled(
            worded(
                "Its vectors have {n} numbers; the database takes {most}.", n=dimensions, most=MOST_DIMENSIONS
            )
        )
    return dimensions, configuration


def _written(path: Path, configuration: Configuration) -> Configuration:
    """What a language model's file says of it, once it has written a few words. Raises ProviderError."""
    from providers.gguf import trial

    found = trial.tried(path)
    made_for = found.header.context
    note = f"Architecture {found.header.architecture}, made for {made_for:,} tokens at once."
    return replace(
        configuration, max_tokens=made_for, kv_bytes=found.header.kv_bytes, notes=(*configuration.notes, note)
    )


def _examine(graph: Path) -> None:
    """Refuse weights outside the graph's folder, and operators that would need a library of their own.

    Raises NotInstalled.
    """
    import onnx

    try:
        model = onnx.load(str(graph), load_external_data=False)
    except MemoryError:
        raise
    except Exception as error:  # of the reader of protocol buffers
        raise NotInstalled(worded("{file} is not an ONNX file.", file=graph.name)) from error
    places, domains = _named_in(model)
    if strange := domains - {*OURS, *(function.domain for function in model.functions)}:
        raise NotInstalled(
            worded(
                "The graph uses operators from {names}. SVQ loads no libraries for them.",
                names=", ".join(sorted(strange)),
            )
        )
    for place in places:
        inside = (graph.parent / place).resolve()
        if Path(place).is_absolute() or not inside.is_relative_to(graph.parent.resolve()):
            raise NotInstalled(
                worded("The graph takes weights from “{place}”, outside its folder.", place=place)
            )
        if not inside.is_file():
            raise NotInstalled(worded("The graph needs the file {place}, which is missing.", place=place))


def _named_in(message: Any) -> tuple[set[str], set[str]]:
    """The files of weights and the domains of operators that the graph names, in its subgraphs as well."""
    places, domains = set[str](), set[str]()
    waiting = [message]
    while waiting:
        each = waiting.pop()
        match each.DESCRIPTOR.name:
            case "TensorProto":
                places |= {entry.value for entry in each.external_data if entry.key == "location"}
                continue
            case "NodeProto":
                domains.add(each.domain)
        for field, value in each.ListFields():
            if field.message_type is not None:
                waiting += [value] if hasattr(value, "ListFields") else value
    return places, domains


if __name__ == "__main__":
    main()
