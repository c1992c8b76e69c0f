"""The sample datasource: the PDFs, their Markdown sources and the builder that typesets them."""
