"""What an operator's programs watch SVQ by."""
