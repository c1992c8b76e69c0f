"""The SQL of searches: a file for each leg, `query` to run a statement by its name, `batches` for one that
may give very many rows, and `statement` for its text.
"""

from pathlib import Path

from sql import Statements

_statements = Statements(Path(__file__).parent)
query, batches, statement = _statements.rows, _statements.batches, _statements.__getitem__
