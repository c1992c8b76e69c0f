"""Which document of a datasource an imported row is about."""

from collections import defaultdict

from datasources.models import Datasource
from graph.exchange.rows import GraphRow
from graph.extraction.llm.cache import content_hash


class DocumentLookup:
    """Which ready document a row is about: by hash, by text, by number, by title or file name."""

    def __init__(self, datasource: Datasource) -> None:
        self.hashes: dict[str, int] = {}
        self.numbers: set[int] = set()
        self.names: dict[str, list[int]] = defaultdict(list)
        columns = datasource.documents.ready().values_list("pk", "sha256", "title", "filename", "passage")
        for pk, sha256, title, filename, passage in columns:
            self.hashes[sha256] = pk
            self.numbers.add(pk)
            for name in {title.lower(), filename.lower() if passage is None else title.lower()}:
                self.names[name].append(pk)

    def of(self, row: GraphRow) -> int | None:
        """None when there is no such document, or several of that name."""
        if row.sha256:
            return self.hashes.get(row.sha256)
        if row.text:
            title = row.title.strip()
            body = f"{title}\n{row.text.strip()}" if title else row.text.strip()
            if pk := self.hashes.get(content_hash(body)):
                return pk
        if isinstance(row.document, int):
            return row.document if row.document in self.numbers else None
        named = self.names.get((row.document or row.title).strip().lower(), [])
        return named[0] if len(named) == 1 else None
