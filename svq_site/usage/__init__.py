"""What language models have cost: the page of usage and cost, its budgets, and its twin in REST."""
