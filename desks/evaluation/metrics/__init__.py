"""What is measured, as pure functions of values. docs/reference/evaluation.md defines each."""
