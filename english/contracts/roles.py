"""Nouns that contracts use for whoever has signed them. Pure."""

from text.word_lists import words

# The words of a line name one side of a contract: whoever is the landlord is the lessor as well.
SIDES = (
    "supplier suppliers vendor vendors provider providers licensor contractor seller processor",
    "customer customers client clients buyer purchaser licensee controller",
    "landlord lessor owner",
    "tenant tenants lessee renter",
    "employer",
    "employee employees worker workers staff",
    "lender bank",
    "borrower",
    "insurer",
    "insured policyholder",
    "student students",
)
# Others are known by "(the "Broker")" behind a name.
ROLES = words(" ".join(SIDES)) | words(
    """party parties contractors subcontractor company consultant agent principal broker distributor reseller
    franchisor franchisee guarantor trustee publisher author partner partners member members manager director
    directors recipient discloser user users subscriber carrier shipper sponsor institution investigator
    university operator host guest pledgor assignor assignee transferor transferee issuer holder shareholder
    shareholders stockholder stockholders investor investors founder founders hirer occupier covenantor
    covenantee mortgagor mortgagee executor beneficiary"""
)
# In a pattern; each also in a plural that is not listed.
ROLE = rf"(?:{'|'.join(sorted(ROLES))})s?"


def is_role(noun: str) -> bool:
    return noun.lower() in ROLES
