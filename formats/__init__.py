"""The kinds of file that SVQ reads, one folder each: text with boxes, page images, cut pages. No database.

registry.py lists them, base/ is what they share.
"""

from formats.base.errors import IN_THE_FILE, ExtractionError
from formats.base.values import DocumentInfo, Limits, PageText, Pixels, SourceFile

__all__ = ["IN_THE_FILE", "DocumentInfo", "ExtractionError", "Limits", "PageText", "Pixels", "SourceFile"]
