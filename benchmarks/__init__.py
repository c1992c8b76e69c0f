"""What SVQ is measured by: `make bench` runs all and writes docs/reference/benchmarks.md."""
