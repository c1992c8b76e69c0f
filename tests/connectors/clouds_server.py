"""Stand-ins for Microsoft Graph and Google Drive on loopback, in the shapes that their documentation gives,
asked as SVQ_CLOUDS_URL has it: /{host}/...
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.loopback import Loopback, QuietHandler

TENANT, APPLICATION, SECRET = "arden.example", "6f1c-app", "open sesame"
LIBRARY, SITE = "b!library", "arden.sharepoint.com,1,2"
PLACE = "https://arden.sharepoint.com/sites/Matters/Shared%20Documents"
OFFICE = "application/vnd.openxmlformats-officedocument."


@dataclass
class Said:
    """An answer in place of the usual one, to so many requests."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1


class CloudsServer:
    """asked: `METHOD /host/path?query` of requests, with tokens' forms. instead: answers by a part of that,
    in place of the usual ones. tokens: the Authorization headers that came with each host.
    """

    def __enter__(self) -> Any:
        self.asked: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.instead: dict[str, Said] = {}
        self.tokens: dict[str, set[str]] = {}
        clouds = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                self.say(b"")

            def do_POST(self) -> None:
                self.say(self.rfile.read(int(self.headers["Content-Length"])))

            def say(self, body: bytes) -> None:
                asked = f"{self.command} {self.path}"
                clouds.asked.append(asked)
                host = self.path.split("/")[1]
                clouds.tokens.setdefault(host, set()).add(self.headers.get("Authorization", ""))
                said = clouds.said(asked, body)
                self.send_response(said.status)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(said.body)))
                self.end_headers()
                self.wfile.write(said.body)

        self._server = Loopback(Handler)
        self.address = f"http://127.0.0.1:{self._server.port}"
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()

    def said(self, asked: str, body: bytes) -> Said:
        for part, said in self.instead.items():
            if part in asked and said.times > 0:
                said.times -= 1
                return said
        if asked.startswith("POST") and ("/token" in asked):
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            self.forms.append(form)
            return self.token(form)
        parts = urlsplit(asked.partition(" ")[2])
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        return self.told(unquote(parts.path), query, body)

    def token(self, form: dict[str, str]) -> Said:
        raise NotImplementedError

    def told(self, path: str, query: dict[str, str], body: bytes) -> Said:
        raise NotImplementedError


def as_json(told: object, status: int = 200) -> Said:
    return Said(status, json.dumps(told).encode(), {"Content-Type": "application/json"})


class MicrosoftServer(CloudsServer):
    """One library. items: rows of its delta feed, by number; permissions: of each, by number."""

    def __enter__(self) -> "MicrosoftServer":
        self.items: dict[str, dict[str, Any]] = {
            "root": {"id": "root", "name": "root", "root": {}, "folder": {}}
        }
        self.contents: dict[str, bytes] = {}
        self.permissions: dict[str, list[dict[str, Any]]] = {}
        self.page = 200
        super().__enter__()
        return self

    def add(self, number: str, name: str, text: str, parent: str = "root", *readers: dict[str, Any]) -> None:
        self.contents[number] = text.encode()
        row = {"id": number, "name": name, "size": len(text), "file": {"mimeType": "text/plain"}}
        self.items[number] = row | {"cTag": f'"c:{number},{hash(text)}"', "parentReference": {"id": parent}}
        self.permissions[number] = list(readers)

    def folder(self, number: str, name: str, parent: str = "root") -> None:
        self.items[number] = {"id": number, "name": name, "folder": {}, "parentReference": {"id": parent}}

    def token(self, form: dict[str, str]) -> Said:
        if form.get("client_id") != APPLICATION or form.get("client_secret") != SECRET:
            return as_json({"error": "invalid_client", "error_description": "AADSTS7000215"}, 401)
        return as_json({"token_type": "Bearer", "expires_in": 3599, "access_token": "good"})

    def told(self, path: str, query: dict[str, str], body: bytes) -> Said:
        if path.startswith("/arden.sharepoint.com/download/"):
            return Said(body=self.contents[path.rpartition("/")[2]])
        path = path.removeprefix("/graph.microsoft.com/v1.0")
        if path == "/sites/arden.sharepoint.com:/sites/Matters":
            return as_json({"id": SITE})
        if path == f"/sites/{SITE}/drives":
            return as_json(
                {
                    "value": [
                        {"id": "b!other", "webUrl": "https://arden.sharepoint.com/sites/Matters/Wiki"},
                        {"id": LIBRARY, "webUrl": PLACE},
                    ]
                }
            )
        if path == f"/drives/{LIBRARY}/root/delta":
            return self._page(int(query.get("token", 0)))
        if path.startswith(f"/drives/{LIBRARY}/root"):
            return self._folder(path.partition("root")[2].strip(":/"))
        if path == "/$batch":
            return as_json({"responses": [self._permissions(each) for each in json.loads(body)["requests"]]})
        if found := re.fullmatch(rf"/drives/{LIBRARY}/items/(\w+)/content", path):
            to = f"https://arden.sharepoint.com/download/{found[1]}"
            return Said(302, headers={"Location": to}) if found[1] in self.contents else as_json({}, 404)
        return as_json({"error": {"code": "itemNotFound"}}, 404)

    def _folder(self, path: str) -> Said:
        parent = "root"
        for name in filter(None, path.split("/")):
            rows = [row for row in self.items.values() if row.get("name") == name]
            if not rows:
                return as_json({"error": {"code": "itemNotFound"}}, 404)
            parent = rows[0]["id"]
        return as_json(self.items[parent])

    def _page(self, first: int) -> Said:
        rows, base = (
            list(self.items.values()),
            f"https://graph.microsoft.com/v1.0/drives/{LIBRARY}/root/delta",
        )
        told: dict[str, Any] = {"value": rows[first : first + self.page]}
        after = first + self.page
        key = "@odata.nextLink" if after < len(rows) else "@odata.deltaLink"
        return as_json(told | {key: f"{base}?token={after}"})

    def _permissions(self, request: dict[str, str]) -> dict[str, Any]:
        number = request["url"].split("/")[-2]
        for part, said in self.instead.items():
            if part == f"permissions of {number}" and said.times > 0:
                said.times -= 1
                return {"id": request["id"], "status": said.status, "headers": said.headers, "body": {}}
        return {"id": request["id"], "status": 200, "body": {"value": self.permissions[number]}}


def by_mail(address: str) -> dict[str, Any]:
    user = {"id": f"id of {address}", "displayName": address, "email": address}
    return {"id": address, "roles": ["read"], "grantedToV2": {"user": user}}


def by_group(name: str, **more: Any) -> dict[str, Any]:
    group = {"siteGroup": {"id": f"{len(name)}", "displayName": name, "loginName": name}}
    return {"id": name, "roles": ["write"], "grantedToV2": group} | more


class GoogleServer(CloudsServer):
    """files: rows of the list, by number. contents: by number, also of what is exported."""

    ROOT = "0AFolderOfArden"

    def __enter__(self) -> "GoogleServer":
        self.files: dict[str, dict[str, Any]] = {}
        self.contents: dict[str, bytes] = {}
        self.page = 1000
        self.folder(self.ROOT, "Arden", "")
        super().__enter__()
        return self

    def folder(self, number: str, name: str, parent: str | None = None, **more: Any) -> None:
        self.add(number, name, "", parent, kind="application/vnd.google-apps.folder", **more)

    def add(
        self,
        number: str,
        name: str,
        text: str,
        parent: str | None = None,
        *,
        kind: str = "text/plain",
        **more: Any,
    ) -> None:
        row: dict[str, Any] = {
            "id": number,
            "name": name,
            "mimeType": kind,
            "modifiedTime": "2026-01-01T00:00:00Z",
        }
        if not kind.startswith("application/vnd.google-apps."):
            row |= {"md5Checksum": f"{hash(text):x}", "size": str(len(text))}
        self.contents[number] = text.encode()
        row["parents"] = [self.ROOT if parent is None else parent]
        self.files[number] = row | {"permissions": []} | more

    def token(self, form: dict[str, str]) -> Said:
        return as_json({"token_type": "Bearer", "expires_in": 3599, "access_token": "good"})

    def told(self, path: str, query: dict[str, str], body: bytes) -> Said:
        path = path.removeprefix("/www.googleapis.com/drive/v3")
        if path == "/files":
            return self._page(query)
        _, _, number, *rest = path.split("/")
        row = self.files.get(number)
        if row is None:
            return as_json({"error": {"code": 404}}, 404)
        if rest == ["permissions"]:
            told = row.get("all_permissions")
            return as_json({"permissions": told}) if told is not None else as_json({"error": {}}, 403)
        if rest == ["export"] or query.get("alt") == "media":
            return Said(body=self.contents[number])
        return as_json({name: value for name, value in row.items() if value is not None})

    def _page(self, query: dict[str, str]) -> Said:
        found = re.match(r"'([^']+)' in parents", query["q"])
        assert found
        rows = [row for row in self.files.values() if found[1] in row["parents"]]
        rows = [{name: value for name, value in row.items() if value is not None} for row in rows]
        first = int(query.get("pageToken", 0))
        told: dict[str, Any] = {"files": rows[first : first + self.page], "incompleteSearch": False}
        after = first + self.page
        return as_json(told | ({"nextPageToken": str(after)} if after < len(rows) else {}))


def shared_with(address: str, kind: str = "user", **more: Any) -> dict[str, Any]:
    return {
        "id": address,
        "type": kind,
        "role": "reader",
        "emailAddress": address,
        "displayName": address,
    } | more
