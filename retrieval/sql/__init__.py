"""The SQL of searches: a file for each leg, `query` to run a statement by its name, and `batches` for one
that may give very many rows.
"""

from pathlib import Path

from sql import Statements

_statements = Statements(Path(__file__).parent)
query, batches = _statements.rows, _statements.batches
