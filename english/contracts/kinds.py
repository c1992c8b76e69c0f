"""Kinds of documents, of contracts, and of what changes one."""

from text.word_lists import words

CONTRACTS = words(
    "agreement contract lease tenancy deed licence license loan mortgage guarantee bond charter treaty"
)
CHANGING = words("amendment addendum supplement variation rider waiver renewal")
SAME_KIND = {"contract": "agreement", "licence": "license", "tenancy": "lease"}
# What a document may be; other words of a name say of which matter it is.
DOCUMENTS = words(
    """act addendum agreement amendment article brochure charter code contract deck deed directive filing
    guide guideline handbook law lease letter licence license manual memo memorandum minutes notes paper
    policy presentation proposal protocol questionnaire regulation report rules schedule slides
    specification standard statement statute study thesis treaty"""
)
