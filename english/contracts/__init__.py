"""What contracts and their amendments say of themselves: parties, defined terms, days, clauses."""
