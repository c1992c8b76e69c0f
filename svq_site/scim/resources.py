"""People and groups as resources of SCIM."""

from typing import Any

from django.urls import reverse

from accounts.models import PeopleGroup, User
from accounts.scim.groups import people_in
from accounts.scim.models import Directory, DirectoryPerson

CORE = "urn:ietf:params:scim:schemas:core:2.0:"
USER, GROUP = f"{CORE}User", f"{CORE}Group"
LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
MOST_SHOWN = 10_000  # members of one group


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


def group_json(group: PeopleGroup, directory: Directory, base: str, *, with_members: bool) -> dict[str, Any]:
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
    if with_members:
        told["members"] = [
            {
                "value": str(person.pk),
                "display": person.email,
                "type": "User",
                "$ref": base + reverse("scim_user", args=[person.pk]),
            }
            for person in people_in(group, directory)[:MOST_SHOWN]
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
