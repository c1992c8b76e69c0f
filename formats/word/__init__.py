"""Word documents (DOCX), read from their XML."""
