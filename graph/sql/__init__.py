"""The graph's SQL: a file for each subject, and `query` to run a statement by its name."""

from pathlib import Path

from sql import Statements

statements = Statements(Path(__file__).parent)
query = statements.rows
