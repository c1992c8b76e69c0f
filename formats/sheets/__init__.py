"""Workbooks of Excel and LibreOffice: the values as their programs display them, sheet by sheet."""
