"""What this server can do of SCIM, and what its resources are made of."""

from typing import Any

from svq_site.scim.resources import CORE, GROUP, USER

MOST_LISTED = 200  # resources in one part of a list
SCHEMA, TYPE = f"{CORE}Schema", f"{CORE}ResourceType"


def provider_config(base: str) -> dict[str, Any]:
    return {
        "schemas": [f"{CORE}ServiceProviderConfig"],
        "documentationUri": "https://datatracker.ietf.org/doc/html/rfc7644",
        "patch": {"supported": True},
        "bulk": {"supported": False, "maxOperations": 0, "maxPayloadSize": 0},
        "filter": {"supported": True, "maxResults": MOST_LISTED},
        "changePassword": {"supported": False},
        "sort": {"supported": False},
        "etag": {"supported": False},
        "authenticationSchemes": [
            {
                "type": "oauthbearertoken",
                "name": "Bearer token",
                "description": "Made by an administrator under Settings, Sign-in, Directories.",
                "primary": True,
            }
        ],
        "meta": {
            "resourceType": "ServiceProviderConfig",
            "location": f"{base}/scim/v2/ServiceProviderConfig",
        },
    }


def resource_types(base: str) -> list[dict[str, Any]]:
    return [_type("User", "Users", USER, base), _type("Group", "Groups", GROUP, base)]


def schemas(base: str) -> list[dict[str, Any]]:
    name = [_attribute(part, "") for part in ("formatted", "givenName", "familyName")]
    user = [
        _attribute(
            "userName",
            "Unique, in any case. The e-mail address, unless emails has another.",
            required=True,
            uniqueness="server",
        ),
        _attribute("displayName", "The person’s name."),
        _attribute("name", "Its parts.", "complex", parts=name),
        _attribute(
            "emails",
            "One: the address that the person signs in with.",
            "complex",
            multiple=True,
            parts=[_attribute("value", ""), _attribute("type", ""), _attribute("primary", "", "boolean")],
        ),
        _attribute("active", "False: signed out everywhere, and nobody gets in.", "boolean"),
        _attribute("externalId", "The directory’s own id.", exact=True),
    ]
    group = [
        _attribute("displayName", "Unique, in any case.", required=True, uniqueness="server"),
        _attribute(
            "members",
            "Users.",
            "complex",
            multiple=True,
            parts=[_attribute("value", "The id of a user."), _attribute("display", "", written="readOnly")],
        ),
        _attribute("externalId", "The directory’s own id.", exact=True),
    ]
    return [_schema(USER, "User", user, base), _schema(GROUP, "Group", group, base)]


def _type(name: str, endpoint: str, schema: str, base: str) -> dict[str, Any]:
    return {
        "schemas": [TYPE],
        "id": name,
        "name": name,
        "endpoint": f"/{endpoint}",
        "schema": schema,
        "schemaExtensions": [],
        "meta": {"resourceType": "ResourceType", "location": f"{base}/scim/v2/ResourceTypes/{name}"},
    }


def _schema(urn: str, name: str, attributes: list[dict[str, Any]], base: str) -> dict[str, Any]:
    return {
        "schemas": [SCHEMA],
        "id": urn,
        "name": name,
        "description": "",
        "attributes": attributes,
        "meta": {"resourceType": "Schema", "location": f"{base}/scim/v2/Schemas/{urn}"},
    }


def _attribute(
    name: str,
    description: str,
    kind: str = "string",
    *,
    multiple: bool = False,
    required: bool = False,
    exact: bool = False,
    uniqueness: str = "none",
    written: str = "readWrite",
    parts: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    told = {
        "name": name,
        "type": kind,
        "multiValued": multiple,
        "description": description,
        "required": required,
        "caseExact": exact,
        "mutability": written,
        "returned": "default",
        "uniqueness": uniqueness,
    }
    return told | {"subAttributes": parts} if parts else told
