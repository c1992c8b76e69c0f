"""Scripts for those who work on SVQ; nothing of it runs in the product."""
