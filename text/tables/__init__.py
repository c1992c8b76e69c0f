"""Tables in plain text, in Markdown and in the files of spreadsheets."""
