"""Text recognition (OCR): the words of a page that is a picture, with their places and how sure they are.

engine, lines, orientation and layout run in the sandbox; reader is what callers use.
"""
