"""A folder of Google Drive, or a shared drive: folder by folder, as the drive lists them.

Google's own documents are exported to the files of Office that they are worth.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _

from exchange.connectors.sources import web
from exchange.connectors.sources.cloud.client import Cloud, broken, rows_of, text_of
from exchange.connectors.sources.cloud.google import NAME, GoogleTokens
from exchange.connectors.sources.cloud.items import DEEPEST, fit
from exchange.connectors.sources.readers import (
    EVERYBODY,
    MOST_READERS,
    Reader,
    as_many_as_count,
    others,
    people_of_domain,
    person,
    storable,
)
from exchange.connectors.sources.source import LONGEST_PATH, Entry, SourceError, parsed_size
from exchange.connectors.sources.web import many_folders
from localization.stored import said

OFFICE = "application/vnd.openxmlformats-officedocument."
GOOGLES = "application/vnd.google-apps."
FOLDER = f"{GOOGLES}folder"
EXPORTED = MappingProxyType(
    {
        f"{GOOGLES}document": (".docx", f"{OFFICE}wordprocessingml.document"),
        f"{GOOGLES}spreadsheet": (".xlsx", f"{OFFICE}spreadsheetml.sheet"),
        f"{GOOGLES}presentation": (".pptx", f"{OFFICE}presentationml.presentation"),
    }
)
PERMISSION = "id,type,role,emailAddress,domain,displayName,allowFileDiscovery,deleted,expirationTime,view"
FIELDS = (
    "id,name,mimeType,md5Checksum,version,modifiedTime,size,driveId,"
    "hasAugmentedPermissions,inheritedPermissionsDisabled"
)
ROWS = f"nextPageToken,incompleteSearch,files({FIELDS},permissions({PERMISSION}))"
ALL_DRIVES = {"supportsAllDrives": "true"}
MOST_ROWS = 50_000  # of one folder
MOST_PAGES = 1_000  # of one list, however few rows each has
READING = ("reader", "commenter", "writer", "fileOrganizer", "organizer", "owner")


class GoogleDriveSource:
    """folder: its number, or that of a shared drive."""

    def __init__(self, folder: str, tokens: GoogleTokens, should_stop: Callable[[], bool]) -> None:
        self._root = folder
        self._cloud = Cloud(NAME, "https://www.googleapis.com/drive/v3", tokens.token, should_stop)
        self._files: dict[str, tuple[str, str]] = {}  # number, and what it is exported to, by path
        self._above: dict[str, frozenset[Reader]] = {}  # readers of its folder, by path

    def try_it(self) -> None:
        self._folder()

    def entries(self) -> Iterator[Entry]:
        """Two files of a folder may have one name there: all but one are told apart by their numbers."""
        first = self._folder()
        seen = {self._root}
        waiting = deque([(self._root, "", 0, self._readers_of(first, frozenset()))])
        while waiting:
            folder, below, depth, readers = waiting.popleft()
            names: set[str] = set()
            for row in sorted(self._rows(folder), key=lambda row: str(row.get("id"))):
                number, kind = text_of(row, "id", NAME), str(row.get("mimeType"))
                own = self._readers_of(row, readers)
                if kind == FOLDER:
                    if number not in seen and depth < DEEPEST and len(below) < LONGEST_PATH:
                        seen.add(number)
                        name = _unlike(fit(str(row.get("name"))), number, names)
                        waiting.append((number, f"{below}{name}/", depth + 1, own))
                    if len(seen) > web.MOST_LISTS:
                        raise many_folders()
                else:
                    for entry in self._entry(row, below, names, own):
                        self._above[entry.path] = readers
                        yield entry

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        number, kind = self._files[entry.path]
        how = (
            f"/export?{urlencode({'mimeType': kind})}"
            if kind
            else f"?{urlencode(ALL_DRIVES | {'alt': 'media'})}"
        )
        self._cloud.download(f"/files/{quote(number, '')}{how}", file, most)
        return ""

    def readers_now(self, entry: Entry) -> frozenset[Reader]:
        """Those of its folder are as they were listed."""
        number, _ = self._files[entry.path]
        fields = f"{FIELDS},permissions({PERMISSION})"
        address = f"/files/{quote(number, '')}?{urlencode(ALL_DRIVES | {'fields': fields})}"
        try:
            row = self._cloud.asked(address, is_list=False)
        except SourceError as error:
            if error.code in ("refused", "not_there"):
                return frozenset()
            raise
        return self._readers_of(row, self._above[entry.path], is_list=False)

    def close(self) -> None:
        self._cloud.close()

    def _folder(self) -> dict[str, Any]:
        """Raises SourceError."""
        fields = f"{FIELDS},trashed,permissions({PERMISSION})"
        data = self._cloud.asked(f"/files/{self._root}?{urlencode(ALL_DRIVES | {'fields': fields})}")
        if data.get("mimeType") != FOLDER or data.get("trashed"):
            raise SourceError("not_there", _("There is no such folder, or it lies in the bin."))
        return data

    def _rows(self, folder: str) -> Iterator[dict[str, Any]]:
        """What lies in it, without what is in the bin. Raises SourceError."""
        asked = ALL_DRIVES | {
            "q": f"'{folder}' in parents and trashed = false",
            "fields": ROWS,
            "pageSize": "1000",
            "includeItemsFromAllDrives": "true",
        }
        for number, row in enumerate(self._listed("/files", asked, "files")):
            if number >= MOST_ROWS:
                raise SourceError(
                    "many_files",
                    said("A folder in it has more than {n} files and folders.", n=MOST_ROWS),
                    _("Nothing was changed. Connect folders in it, one by one."),
                )
            yield row

    def _listed(
        self, address: str, asked: dict[str, str], key: str, *, is_list: bool = True
    ) -> Iterator[dict[str, Any]]:
        """Page after page. Raises SourceError."""
        seen = {""}
        while True:
            data = self._cloud.asked(f"{address}?{urlencode(asked)}", is_list=is_list)
            if data.get("incompleteSearch"):
                raise broken(NAME)
            yield from rows_of(data, key, NAME)
            page = data.get("nextPageToken")
            if page is None:
                return
            if not isinstance(page, str) or page in seen or len(seen) > MOST_PAGES:
                raise broken(NAME)
            seen.add(page)
            asked = asked | {"pageToken": page}

    def _entry(
        self, row: Mapping[str, Any], below: str, names: set[str], readers: frozenset[Reader]
    ) -> Iterator[Entry]:
        """Nothing for what stands for something that lies elsewhere."""
        number, kind, name = text_of(row, "id", NAME), str(row.get("mimeType")), fit(str(row.get("name")))
        if kind == f"{GOOGLES}shortcut":
            return
        suffix, exported = EXPORTED.get(kind, ("", ""))
        is_strange = kind.startswith(GOOGLES) and not exported
        changed = row.get("md5Checksum") or f"{row.get('version')} {row.get('modifiedTime')}"
        path = f"{below}{_unlike(name if name.endswith(suffix) else name + suffix, number, names)}"
        self._files[path[: LONGEST_PATH + 1]] = (number, exported)
        yield Entry(
            path=path[: LONGEST_PATH + 1],
            version=storable(f"{number} {row.get('modifiedTime') if exported else changed}")[:200],
            size=parsed_size(str(row.get("size", ""))),
            item=storable(number)[:200],
            refusal=_("Google gives documents of this kind to no other program.") if is_strange else "",
            readers=readers,
        )

    # --- who may read it ---------------------------------------------------------------------------------
    def _readers_of(
        self, row: Mapping[str, Any], above: frozenset[Reader], *, is_list: bool = True
    ) -> frozenset[Reader]:
        """above: those of its folder, which in a shared drive are those of whatever says that it has no more
        and no fewer. Where Google does not tell, nobody counts as a reader. Raises SourceError.
        """
        data = row.get("permissions")
        if isinstance(data, list):
            return readers_in(data)
        is_as_above = row.get("hasAugmentedPermissions") is False and not row.get(
            "inheritedPermissionsDisabled"
        )
        if row.get("id") != self._root and row.get("driveId") and is_as_above:
            return above
        try:
            return readers_in(list(self._permissions(text_of(row, "id", NAME), is_list)))
        except SourceError as error:
            if error.code in ("refused", "not_there"):
                return frozenset()
            raise

    def _permissions(self, number: str, is_list: bool) -> Iterator[dict[str, Any]]:
        """Raises SourceError."""
        asked = ALL_DRIVES | {"fields": f"nextPageToken,permissions({PERMISSION})", "pageSize": "100"}
        return islice(
            self._listed(f"/files/{quote(number, '')}/permissions", asked, "permissions", is_list=is_list),
            MOST_READERS,
        )


def readers_in(permissions: Sequence[Mapping[str, Any]]) -> frozenset[Reader]:
    """Whom these name. Nobody by a permission that ends at some time, by a link that anybody may pass on, or
    to see of a file that it exists.
    """
    return as_many_as_count(reader for each in permissions if _counts(each) for reader in _named(each))


def _counts(permission: Mapping[str, Any]) -> bool:
    is_whole = not any(permission.get(each) for each in ("deleted", "expirationTime", "view"))
    return is_whole and permission.get("role") in READING


def _named(data: Mapping[str, Any]) -> set[Reader]:
    address, domain = str(data.get("emailAddress") or ""), str(data.get("domain") or "")
    is_found = data.get("allowFileDiscovery") is True
    match data.get("type"):
        case "user" if "@" in address:
            return {person(address)}
        case "group" if address:
            return {others(f"group:{address.lower()}", str(data.get("displayName") or address))}
        case "domain" if domain and is_found:
            return {people_of_domain(domain)}
        case "domain" if domain:
            return {others(f"link:{domain.lower()}", f"Whoever of {domain} has a link")}
        case "anyone":
            return {EVERYBODY} if is_found else {others("link:anonymous", "Whoever has a link")}
    return set()


def _unlike(name: str, number: str, names: set[str]) -> str:
    """Another name than those that the folder has already."""
    if name in names:
        stem, dot, suffix = name.rpartition(".")
        name = f"{stem} ({number}){dot}{suffix}" if stem else f"{name} ({number})"
    names.add(name)
    return name
