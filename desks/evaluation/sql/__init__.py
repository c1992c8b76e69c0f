"""The SQL of evaluations, and `query` to run a statement by its name."""

from pathlib import Path

from sql import Statements

query = Statements(Path(__file__).parent).rows
