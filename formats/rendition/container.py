"""Formats whose files have files in them, such as messages and archives."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from formats.base.values import AttachedFile, Limits, SourceFile
from formats.rendition.format import BlockFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerFormat(BlockFormat):
    """program: answers to "attachments" with a frame for each file: name, size, how many are left out."""

    def attachments(
        self, file: SourceFile, *, most: int, largest: int, limits: Limits | None = None
    ) -> Generator[AttachedFile]:
        request = {"do": "attachments", "most": most, "largest": largest}
        with closing(self._run(file, request, limits or Limits())) as frames:
            for frame in frames:
                head = frame.head
                whole = head["size"] == len(frame.body)
                yield AttachedFile(
                    name=str(head["name"]),
                    size=int(head["size"]),
                    content=frame.body if whole else None,
                    left_out=int(head["left_out"]),
                )
