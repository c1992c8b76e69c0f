"""What a change of names leaves to be folded again."""

from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class Changes:
    """Ids, collected while names are linked."""

    entities: set[int] = field(default_factory=set)  # their mentions or names changed
    moved: set[int] = field(default_factory=set)  # a name came or went: all their relations too
    documents: set[int] = field(default_factory=set)  # their mentions are of another name now
    recounted: set[int] = field(default_factory=set)  # mentions of old documents may be theirs now
