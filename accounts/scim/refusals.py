"""Why a directory is refused something."""

from typing import ClassVar


class Refused(Exception):
    """In words for whoever reads the directory's log; `kind` is SCIM's own word, where it has one."""

    status: ClassVar[int] = 400
    kind: ClassVar[str] = ""


class Invalid(Refused):
    kind = "invalidValue"


class Taken(Refused):
    status = 409
    kind = "uniqueness"


class Gone(Refused):
    """Somebody was quicker, and it is no longer the directory's to know of."""

    status = 404


class NotAllowed(Refused):
    """The account or the group is not the directory's to change so."""

    status = 403
