"""Pictures: scans, photographs, screenshots. Each becomes a page of a PDF, which is then read by OCR."""
