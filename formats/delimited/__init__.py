"""Tables as text: CSV and its relatives, whose encoding and separator are found out."""
