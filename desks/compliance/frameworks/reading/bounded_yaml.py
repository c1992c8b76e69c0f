"""YAML from strangers: plain values alone, and no file that grows when its aliases are followed. Pure."""

import re
from typing import Any

import yaml

from desks.compliance.frameworks.reading.draft import no_framework

MOST_VALUES = 1_000_000  # of a file, those behind aliases counted each time
DEEPEST_NESTING = 60
MOST_DIRECTIVES = 20  # the parser compares each with all before it
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
_BEGINS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


class PlainLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Texts, truth values, null, lists and objects. Numbers and dates stay texts.

    A reference “30.10” is not 30.1, and numbers to the base of 60 would take quadratic time.
    """


def _of(kinds: tuple[str, ...], table: dict[Any, Any]) -> dict[str, Any]:
    return {f"tag:yaml.org,2002:{kind}": table[f"tag:yaml.org,2002:{kind}"] for kind in kinds}


PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag.endswith((":bool", ":null", ":merge"))]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
PlainLoader.yaml_constructors = {
    **_of(("bool", "map", "null", "seq", "str"), yaml.SafeLoader.yaml_constructors),
    **dict.fromkeys(
        ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:timestamp"),
        yaml.SafeLoader.construct_yaml_str,
    ),
    None: yaml.SafeLoader.construct_undefined,
}


def load(text: str) -> Any:
    """Raises ExtractionError."""
    if len(_DIRECTIVE.findall(text)) > MOST_DIRECTIVES:
        raise no_framework(
            "This file has more than {n} lines that begin with {sign}.", n=MOST_DIRECTIVES, sign="%"
        )
    try:
        _check_size(text)
        return yaml.load(text, Loader=PlainLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        if mark:
            raise no_framework("This file is not valid YAML in line {n}.", n=mark.line + 1) from None
        raise no_framework("This file is not valid YAML.") from None
    except (ValueError, TypeError, RecursionError, OverflowError):
        raise no_framework("This file is not valid YAML: it has a value that cannot be read.") from None


def _check_size(text: str) -> None:
    """Add up what the file has when every alias is written out, before any of it is built."""
    sizes: dict[str, int] = {}  # of anchored values
    open_: list[tuple[str | None, int]] = [(None, 0)]  # anchor and size so far
    for event in yaml.parse(text, Loader=PlainLoader):
        if isinstance(event, _BEGINS):
            open_.append((event.anchor, 1))
        elif isinstance(event, _ENDS):
            anchor, size = open_.pop()
            if anchor:
                sizes[anchor] = size
            open_[-1] = (open_[-1][0], open_[-1][1] + size)
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            size = sizes.get(event.anchor or "", MOST_VALUES) if isinstance(event, yaml.AliasEvent) else 1
            if isinstance(event, yaml.ScalarEvent) and event.anchor:
                sizes[event.anchor] = 1
            open_[-1] = (open_[-1][0], open_[-1][1] + size)
        if len(open_) > DEEPEST_NESTING:
            raise no_framework("This file is nested more than {n} levels deep.", n=DEEPEST_NESTING)
        if open_[-1][1] > MOST_VALUES:
            raise no_framework("This file is too large when its aliases are followed.")
