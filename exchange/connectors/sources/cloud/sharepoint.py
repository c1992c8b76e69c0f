"""A document library of SharePoint, a OneDrive, or a folder in one, by Microsoft Graph.

All items of the library are listed as its delta feed enumerates them, from the beginning at each look: 200
at a time, with their numbers in place of paths. Who may read a file is asked for each, 20 at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, BinaryIO
from urllib.parse import quote, unquote, urlsplit

from django.utils.translation import gettext as _

from exchange.connectors.sources.cloud.client import Cloud, broken, rows_of, text_of
from exchange.connectors.sources.cloud.items import Homeless, Item, files_below
from exchange.connectors.sources.cloud.microsoft import NAME, MicrosoftCloud, MicrosoftTokens
from exchange.connectors.sources.readers import Reader, as_many_as_count, others, person, storable
from exchange.connectors.sources.source import Entry, SourceError
from exchange.connectors.sources.web import too_busy
from localization.stored import said

MOST_ITEMS = 200_000  # of a library, in all its folders
AT_ONCE = 20  # requests in one, the most there may be
READING = {"read", "write", "owner", "sp.full control", "sp.owner", "sp.member"}
NEVER = "0001-01-01T00:00:00Z"  # when what has no end expires
GROUPS, OWNERS = "c:", "_o"  # how the name of a group at a site begins, and ends for its owners alone
SITES = ("sites", "teams", "personal")  # how the paths of sites begin, but for that of the firm itself
ASKED = (
    "id,name,size,cTag,eTag,lastModifiedDateTime,parentReference,file,folder,package,remoteItem,deleted,root"
)


class SharePointSource:
    def __init__(
        self, place: str, cloud: MicrosoftCloud, tokens: MicrosoftTokens, should_stop: Callable[[], bool]
    ) -> None:
        parts = urlsplit(place)
        self._host, self._path = str(parts.hostname), unquote(parts.path).strip("/")
        scope = f"{cloud.graph}/.default"
        self._cloud = Cloud(NAME, f"{cloud.graph}/v1.0", lambda: tokens.token(scope), should_stop)
        self._library = ""
        self._numbers: dict[str, str] = {}  # by path

    def try_it(self) -> None:
        self._folder()

    def entries(self) -> Iterator[Entry]:
        root = self._folder()
        items = self._items()
        if root not in items:
            raise broken(NAME)
        try:
            files = list(files_below(root, items))
        except Homeless:
            raise broken(NAME) from None
        for first in range(0, len(files), AT_ONCE):
            some = files[first : first + AT_ONCE]
            readers = self._readers([number for number, _, _ in some])
            for number, path, item in some:
                if number in readers:  # else it was deleted meanwhile
                    self._numbers[path] = number
                    yield Entry(
                        path=path,
                        version=item.version,
                        size=item.size,
                        item=storable(number)[:200],
                        readers=readers[number],
                    )

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        self._cloud.download(
            f"/drives/{self._library}/items/{_number(self._numbers[entry.path])}/content", file, most
        )
        return ""

    def readers_now(self, entry: Entry) -> frozenset[Reader]:
        number = self._numbers[entry.path]
        return self._readers([number], is_list=False).get(number, frozenset())

    def close(self) -> None:
        self._cloud.close()

    # --- where it lies -----------------------------------------------------------------------------------
    def _folder(self) -> str:
        """The number of the folder that is followed. Raises SourceError."""
        first, *rest = self._path.split("/")
        site = f"{first}/{rest[0]}" if first in SITES and rest else ""
        where = f"/sites/{self._host}:/{quote(site)}" if site else f"/sites/{self._host}"
        number = text_of(self._cloud.asked(where), "id", NAME)
        below = self._path.removeprefix(site).strip("/")
        self._library, within = self._library_of(number, below)
        address = f"/drives/{self._library}/root" + (f":/{quote(within)}" if within else "")
        data = self._cloud.asked(address)
        if "folder" not in data and "root" not in data:
            raise SourceError("not_there", _("This is a file, not a folder."))
        return text_of(data, "id", NAME)

    def _library_of(self, site: str, below: str) -> tuple[str, str]:
        """Its number, and the folder in it. Raises SourceError."""
        if not below:
            return _number(text_of(self._cloud.asked(f"/sites/{quote(site, ',')}/drive"), "id", NAME)), ""
        whole = f"/{self._path}/".lower()
        for row in self._rows(f"/sites/{quote(site, ',')}/drives"):
            with suppress(ValueError):
                path = unquote(urlsplit(text_of(row, "webUrl", NAME)).path).rstrip("/")
                if whole.startswith(f"{path.lower()}/"):
                    return _number(text_of(row, "id", NAME)), f"/{self._path}"[len(path) :].strip("/")
        raise SourceError(
            "not_there", _("The site has no library at this address, or the key may not see it.")
        )

    # --- what is there -----------------------------------------------------------------------------------
    def _items(self) -> dict[str, Item]:
        """All of the library, by their numbers. One that is told twice is as it was told last."""
        items: dict[str, Item] = {}
        for row in self._rows(f"/drives/{self._library}/root/delta?$top=200&$select={ASKED}", is_feed=True):
            number = text_of(row, "id", NAME)
            if "deleted" in row:
                items.pop(number, None)
            else:
                items[number] = _item(row)
            if len(items) > MOST_ITEMS:
                raise SourceError(
                    "many_files",
                    said("The library has more than {n} files and folders.", n=MOST_ITEMS),
                    _("Nothing was changed. Keep what is to be followed in a library of its own."),
                )
        return items

    def _rows(self, address: str, *, is_feed: bool = False) -> Iterator[dict[str, Any]]:
        """Page after page. A feed says at its end that it is there. Raises SourceError."""
        seen: set[str] = set()
        while address:
            data = self._cloud.asked(address)
            yield from rows_of(data, "value", NAME)
            seen.add(address)
            address = data.get("@odata.nextLink", "")
            if not isinstance(address, str) or address in seen:
                raise broken(NAME)
            if is_feed and not address and "@odata.deltaLink" not in data:
                raise broken(NAME)

    # --- who may read it ---------------------------------------------------------------------------------
    def _readers(self, numbers: Sequence[str], *, is_list: bool = True) -> dict[str, frozenset[Reader]]:
        """Of each item, without those that are gone. Raises SourceError."""
        found: dict[str, frozenset[Reader]] = {}
        left = list(numbers)
        while left:
            later = []
            answers = self._batch(
                [f"/drives/{self._library}/items/{_number(each)}/permissions" for each in left], is_list
            )
            for number, answer in zip(left, answers, strict=True):
                status = answer.get("status")
                if status in (429, 503):
                    later.append((number, answer))
                elif status == 200:
                    found[number] = readers_in(rows_of(_mapping(answer, "body"), "value", NAME))
                elif status in (401, 403):  # nobody may tell, so nobody counts as a reader
                    found[number] = frozenset()
                elif status not in (404, 410):
                    raise broken(NAME)
            left = [number for number, _ in later]
            if later:
                headers = {
                    str(key).lower(): str(said) for key, said in _mapping(later[0][1], "headers").items()
                }
                self._cloud.wait(too_busy(429, headers.get("retry-after", "1")))
        return found

    def _batch(self, addresses: Sequence[str], is_list: bool) -> list[Mapping[str, Any]]:
        """The answers, in the order of what is asked."""
        asked = [{"id": str(n), "method": "GET", "url": address} for n, address in enumerate(addresses)]
        data = rows_of(self._cloud.asked("/$batch", {"requests": asked}, is_list=is_list), "responses", NAME)
        by_number = {str(row.get("id")): row for row in data}
        if by_number.keys() != {row["id"] for row in asked}:
            raise broken(NAME)
        return [by_number[row["id"]] for row in asked]


def readers_in(permissions: Sequence[Mapping[str, Any]]) -> frozenset[Reader]:
    """Whom these name. Not those of a link that anybody may pass on, unless it says whom it is for; and none
    of what ends at some time, or asks for a password: it is rather shown to fewer.
    """
    return as_many_as_count(reader for each in permissions if _counts(each) for reader in _named(each))


def _counts(permission: Mapping[str, Any]) -> bool:
    is_lasting = permission.get("expirationDateTime") in (None, "", NEVER)
    is_open = is_lasting and not permission.get("hasPassword")
    return is_open and bool(READING & {*_texts(permission.get("roles"))})


def _named(permission: Mapping[str, Any]) -> set[Reader]:
    link = permission.get("link")
    if link is None:
        return _identity(permission.get("grantedToV2"))
    found: set[Reader] = set()
    named = permission.get("grantedToIdentitiesV2")
    for each in named if isinstance(named, list) else []:
        found |= _identity(each)
    scope = link.get("scope") if isinstance(link, dict) else None
    if scope in ("organization", "anonymous"):
        who = "Whoever of the firm has a link" if scope == "organization" else "Whoever has a link"
        found.add(others(f"link:{scope}", who))
    return found


def _identity(data: object) -> set[Reader]:
    """A person by the address that Microsoft tells; a group by its number, or its name at the site.

    A group may have an address as well, which is nobody's. Its name at the site says where its owners alone
    are meant.
    """
    if not isinstance(data, dict):
        return set()
    login = str(_mapping(data, "siteUser").get("loginName", ""))
    is_group = bool({"group", "siteGroup"} & data.keys()) or login.startswith(GROUPS)
    for kind in () if is_group else ("user", "siteUser"):
        who = data.get(kind)
        if isinstance(who, dict) and "@" in str(who.get("email", "")):
            return {person(str(who["email"]))}
    for kind in ("group", "siteGroup", "user", "siteUser"):
        who = data.get(kind)
        if isinstance(who, dict) and (number := who.get("id")):
            end = OWNERS if login.endswith(OWNERS) else ""
            name = str(who.get("displayName") or who.get("loginName") or "")
            return {others(f"{kind}:{number}{end}", f"{name} (owners)" if name and end else name)}
    return set()


def _item(row: Mapping[str, Any]) -> Item:
    """Notebooks, and what lies in another library, are no files here."""
    parent = "" if "root" in row else str(_mapping(row, "parentReference").get("id", ""))
    if "root" in row or ("folder" in row and "remoteItem" not in row):
        return Item(str(row.get("name", "")), parent, is_folder=True)
    size = row.get("size")
    version = str(row.get("cTag") or row.get("eTag") or f"{row.get('lastModifiedDateTime')} {size}")
    is_file = "file" in row and "package" not in row and "remoteItem" not in row
    return Item(
        str(row.get("name", "")),
        parent,
        version=storable(version)[:200] if is_file else "",
        size=size if isinstance(size, int) and size >= 0 else None,
    )


def _texts(data: object) -> list[str]:
    return [each for each in data if isinstance(each, str)] if isinstance(data, list) else []


def _mapping(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    data = row.get(key)
    return data if isinstance(data, dict) else {}


def _number(number: str) -> str:
    """As a part of an address."""
    return quote(number, "!")
