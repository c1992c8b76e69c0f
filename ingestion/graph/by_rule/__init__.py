"""Reading by rule, without a model."""
