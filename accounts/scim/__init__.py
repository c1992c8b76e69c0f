"""A firm's directory says who comes and who leaves (SCIM): what it may do with accounts and groups here. Its
protocol is in svq_site.scim.
"""
