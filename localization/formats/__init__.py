"""How languages write the numbers and dates of pages.

settings.FORMAT_MODULE_PATH: templates name one pattern of a date, and Django looks for an attribute with that
name, such as "j M Y"; each language has them all, also those that it writes as they are. Numbers are
written as by static/js/words.js.
"""
