"""What calls of models have cost, by day, and the budgets that stop them."""
