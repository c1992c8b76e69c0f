"""The SQL of jobs by name."""

from pathlib import Path

from sql import Statements

statements = Statements(Path(__file__).parent)
