"""How companies are named: by their legal form, and in reports of their own as "the Company"."""

from text.word_lists import words

# As English texts mostly have them.
_WRITTEN = "Inc Incorporated Corporation Corp Limited Ltd plc PLC LLC LLP GmbH AG NV SA"
# In small letters, without signs. Words that tell a company wherever they are in a name:
USUAL_FORMS = words(_WRITTEN.lower()) | words("co company")
# Those that say nothing about which company it is:
LEGAL_FORMS = USUAL_FORMS | words("lp bv spa srl oy ab as kg pty pte kk")
# Patterns.
FORM = f"(?:{_WRITTEN.replace(' ', '|')}|SE)"
# "Company" is a part of the name as people say it, and "Tiffany & Co" is no "Tiffany &".
FORM_OR_COMPANY = rf"(?:{FORM}|Company|Co)"
CALLS_ITSELF = r"[Tt]he (?:Company|Group|Corporation|Registrant|Issuer)"
