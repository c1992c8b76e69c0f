"""People and groups as resources of SCIM."""

from typing import Any

from django.urls import reverse

from accounts.models import PeopleGroup, User
from accounts.scim.models import DirectoryPerson

CORE = "urn:ietf:params:scim:schemas:core:2.0:"
USER, GROUP = f"{CORE}User", f"{CORE}Group"
LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse"


def user_json(person: User, base: str) -> dict[str, Any]:
    """base: where this server is."""
    link: DirectoryPerson | None = getattr(person, "in_directory", None)
    told: dict[str, Any] = {
        "schemas": [USER],
        "id": str(person.pk),
        "userName": (link and link.user_name) or person.email,
        "displayName": person.name,
        "name": {"formatted": person.name},
        "emails": [{"value": person.email, "type": "work", "primary": True}],
        "active": person.is_active,
        "meta": {
            "resourceType": "User",
            "created": person.date_joined.isoformat(),
            "lastModified": (link.changed if link else person.date_joined).isoformat(),
            "location": base + reverse("scim_user", args=[person.pk]),
        },
    }
    if link and link.external_id:
        told["externalId"] = link.external_id
    if link and link.given_name:
        told["name"]["givenName"] = link.given_name
    if link and link.family_name:
        told["name"]["familyName"] = link.family_name
    return told


def group_json(group: PeopleGroup, base: str, people: list[tuple[int, str]] | None) -> dict[str, Any]:
    """people: number and address of each; None: they are left out."""
    link = group.in_directory
    told: dict[str, Any] = {
        "schemas": [GROUP],
        "id": str(group.pk),
        "displayName": group.name,
        "meta": {
            "resourceType": "Group",
            "created": group.created.isoformat(),
            "lastModified": link.changed.isoformat(),
            "location": base + reverse("scim_group", args=[group.pk]),
        },
    }
    if link.external_id:
        told["externalId"] = link.external_id
    if people is not None:
        users = base + reverse("scim_users")
        told["members"] = [
            {"value": str(number), "display": address, "type": "User", "$ref": f"{users}/{number}"}
            for number, address in people
        ]
    return told


def list_json(rows: list[dict[str, Any]], total: int, start: int) -> dict[str, Any]:
    return {
        "schemas": [LIST],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": len(rows),
        "Resources": rows,
    }
