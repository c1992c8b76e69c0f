"""What requests say, whichever way a directory says it: whole resources and patches become the same values.

Attributes that SVQ has no use for are read over, as directories send dozens of them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from accounts.scim.people import Given
from accounts.scim.refusals import Invalid, Refused
from svq_site.scim.filters import number, plain, without_schema

MOST_OPERATIONS = 1_000
MOST_MEMBERS = 10_000
# What a Given calls each attribute, by its name in small letters.
ATTRIBUTES = {
    "username": "user_name",
    "externalid": "external_id",
    "displayname": "name",
    "name.formatted": "name",
    "name.givenname": "given_name",
    "name.familyname": "family_name",
    "emails": "email",
    "emails.value": "email",
    "active": "active",
}
# Where one thing is said twice, the first of these counts.
BEFORE = ("displayname", "name.formatted", "emails", "emails.value")
SELECTED = re.compile(r'members\[\s*value\s+eq\s+"([^"]*)"\s*\]', re.IGNORECASE)
# An account has one address, the one for work: see _address_in.
OTHER_ADDRESS = re.compile(
    r"""emails\[(?!\s*(?:type\s+eq\s+"work"|primary\s+eq\s+"?true"?)\s*\])""", re.IGNORECASE
)
OPERATIONS = ("add", "replace", "remove")


class InvalidSyntax(Refused):
    kind = "invalidSyntax"


class InvalidPath(Refused):
    kind = "invalidPath"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One of a patch. path: without its schema; a patch without one has an operation for each attribute."""

    op: str
    path: str
    value: Any


def mapping(body: Any) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        raise InvalidSyntax("The body must be a JSON object.")
    return body


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenGroup:
    """What a request says of a group; None: nothing, so that it stays as it is."""

    name: str | None = None
    external_id: str | None = None
    people: frozenset[int] | None = None


def person_in(body: Any) -> Given:
    """Of a whole user. Raises Refused."""
    return _given(list(_flat(mapping(body))))


def new_person_in(body: Any) -> Given:
    """The same of somebody who has no account yet: who would be without an address has a private one."""
    given = person_in(body)
    if given.email is None and "@" not in (given.user_name or ""):
        return replace(given, email=_address_in(get(mapping(body), "emails"), of_any_type=True))
    return given


def person_patched(body: Any) -> Given:
    """Raises Refused."""
    said = []
    for each in operations(body):
        value = each.value
        if each.op == "remove" and not OTHER_ADDRESS.match(each.path):
            if plain(each.path) in ("active", "username", "emails", "emails.value"):
                raise Invalid(f"“{each.path}” can’t be taken away. Who leaves is not active.")
            value = ""
        said.append((each.path, value))
    return _given([pair for path, value in said for pair in _inside(path, value)])


def group_in(body: Any) -> GivenGroup:
    """Of a whole group. Raises Refused."""
    external, members = (get(mapping(body), name) for name in ("externalId", "members"))
    return GivenGroup(
        name=name_in(get(mapping(body), "displayName")),
        external_id=None if external is None else text_in(external),
        people=None if members is None else frozenset(members_in(members)),
    )


def group_patched(body: Any, people: Callable[[], set[int]]) -> GivenGroup:
    """people: who is in it before. Raises Refused."""
    name, external_id, wanted = None, None, None
    for each in operations(body):
        match each.path.lower():
            case "externalid":
                external_id = text_in(each.value)
            case "displayname" if each.op == "remove":
                raise InvalidPath("A group needs a displayName.")
            case "displayname":
                name = name_in(each.value)
            case path if path.startswith("members"):
                wanted = _patched(people() if wanted is None else wanted, each)
    return GivenGroup(
        name=name, external_id=external_id, people=None if wanted is None else frozenset(wanted)
    )


def _patched(people: set[int], asked: Operation) -> set[int]:
    """Who is in the group after it."""
    if asked.op == "remove" and (selected := member_selected(asked.path)) is not None:
        return people - {selected}
    if asked.path.lower() != "members":
        raise InvalidPath(f"That can’t be done with “{asked.path}”.")
    if asked.op == "remove":
        return set() if asked.value is None else people - members_in(asked.value)
    if asked.value is None:
        raise InvalidSyntax("An operation on members says in “value” who they are: nobody is [].")
    named = members_in(asked.value)
    return people | named if asked.op == "add" else named


def operations(body: Any) -> list[Operation]:
    """Raises Refused."""
    listed = _get(mapping(body), "operations")
    if not isinstance(listed, list) or not listed or len(listed) > MOST_OPERATIONS:
        raise InvalidSyntax(f"A patch has 1 to {MOST_OPERATIONS:,} Operations.")
    return [each for one in listed for each in _operation(mapping(one))]


def _operation(one: Mapping[str, Any]) -> Iterator[Operation]:
    op, path, value = str(_get(one, "op") or "").lower(), _get(one, "path"), _get(one, "value")
    if op not in OPERATIONS:
        raise InvalidSyntax(f"An operation is one of: {', '.join(OPERATIONS)}.")
    if path:
        yield Operation(op=op, path=without_schema(str(path)), value=value)
    elif op == "remove":
        raise InvalidPath("What is to be removed must have a path.")
    else:
        for name, inner in mapping(value).items():
            yield Operation(op=op, path=without_schema(str(name)), value=inner)


def name_in(value: Any) -> str:
    """Of a group."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise Invalid("A group needs a displayName.")
    return value


def text_in(value: Any) -> str:
    """Numbers are written as texts; what is more than a text is refused."""
    if value is None:
        return ""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        value = _get(value, "value")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Invalid("A text is expected here.")
    if "\0" in (text := str(value).strip()):
        raise Invalid("A text has a character that no text has.")
    return text


def truth_in(value: Any) -> bool:
    """Some write it as a text, in any case, and some in a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        value = _get(value, "value")
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    raise Invalid("“active” is true or false.")


def members_in(value: Any) -> set[int]:
    """The numbers of people: of {"value"} each, or of one."""
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if len(listed) > MOST_MEMBERS:
        raise Invalid(f"A request names up to {MOST_MEMBERS:,} members.")
    found = set()
    for each in listed:
        named = text_in(_get(each, "value") if isinstance(each, Mapping) else each)
        if not (known := number(named)):
            raise Invalid(f"There is no user “{named[:40]}”.")
        found.add(known)
    return found


def member_selected(path: str) -> int | None:
    """The one of `members[value eq "5"]`; None for another path; 0 for nobody."""
    selected = SELECTED.fullmatch(path)
    return number(selected[1]) if selected else None


def get(body: Mapping[str, Any], name: str) -> Any:
    """Names of attributes have no case."""
    return _get(body, name.lower())


def _get(body: Mapping[str, Any], name: str) -> Any:
    return next((value for key, value in body.items() if str(key).lower() == name), None)


def _flat(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in body.items():
        yield from _inside(str(key), value)


def _inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """`name` is an object of its parts."""
    if plain(path) == "name" and isinstance(value, Mapping):
        for part, inner in value.items():
            yield f"name.{part}", inner
    else:
        yield path, value


def _given(said: list[tuple[str, Any]]) -> Given:
    """Null is nothing said."""
    values: dict[str, Any] = {}
    counted = [pair for pair in said if not OTHER_ADDRESS.match(without_schema(pair[0]))]
    names = {plain(path): value for path, value in counted if value is not None}
    ordered = sorted(names, key=lambda name: BEFORE.index(name) if name in BEFORE else len(BEFORE))
    for name in ordered:
        field = ATTRIBUTES.get(name)
        if field is None or field in values:
            continue
        values[field] = _value(name, names[name])
    values = {field: value for field, value in values.items() if value is not None}
    return Given(**values)


def _value(name: str, value: Any) -> Any:
    if name == "active":
        return truth_in(value)
    if name == "emails":
        return _address_in(value)
    text = text_in(value)
    return text or None if name in ("displayname", "name.formatted", "username", "emails.value") else text


def _address_in(value: Any, *, of_any_type: bool = False) -> str | None:
    """The primary one, else the first for work, else the first without a type. One of another type is none:
    whoever reads a private mailbox could choose a password by “Forgot it?”.
    """
    if isinstance(value, str):
        return text_in(value) or None
    listed = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, Mapping)]
    ours = [each for each in listed if of_any_type or _type_of(each) in ("", "work")]
    best = max(ours, key=lambda each: (_is_primary(each), _type_of(each) == "work"), default=None)
    return (text_in(get(best, "value")) or None) if best else None


def _type_of(address: Mapping[str, Any]) -> str:
    return str(get(address, "type") or "").lower()


def _is_primary(address: Mapping[str, Any]) -> bool:
    """Some write it as a text."""
    return str(get(address, "primary")).lower() == "true"
