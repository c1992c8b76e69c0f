"""Text recognition (OCR): the words of a page that is a picture, with their places and how sure they are.

child_process runs in the sandbox, with detection (finds lines), layer (judges a text that is there),
orientation, engine and letters (read a line), layout and page_text. reader is what callers use; certainty
tells of words that were hard to read.
"""
