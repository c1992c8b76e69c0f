"""Pages of accounts, and how allauth behaves on them."""
