"""Which names mean one thing: what is computed, what a model thinks, what people decide."""
