"""All kinds of claims. A new module of kinds is a line here."""

from benchmarks.perturbations import contradictions, notation, restatements, structure, swaps
from benchmarks.perturbations.pairs import KINDS

MODULES = (swaps, contradictions, structure, restatements, notation)

__all__ = ["KINDS", "MODULES"]
