"""The pages of outside tools: which servers are allowed, and what a datasource uses of them."""
