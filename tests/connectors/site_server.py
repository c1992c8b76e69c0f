"""A web site on loopback, which says what a test has it say."""

from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from tests.loopback import Loopback, QuietHandler

PAGE = "<html><head><title>{0}</title></head><body><h1>{0}</h1><p>{1}</p></body></html>"


@dataclass(frozen=True, slots=True)
class Said:
    """An answer; a page has a mark, so that it can be asked for only if it has changed."""

    body: bytes = b""
    status: int = 200
    headers: MappingProxyType[str, str] | dict[str, str] = field(default_factory=dict)


def page(title: str, text: str) -> Said:
    body = PAGE.format(title, text).encode()
    told = {"Content-Type": "text/html; charset=utf-8", "ETag": f'"{sha256(body).hexdigest()[:12]}"'}
    return Said(body, headers=told)


class SiteServer:
    """`pages`: what is said, by path. `asked`: the paths of requests; `unchanged`: of those told so."""

    def __enter__(self) -> "SiteServer":
        self.pages: dict[str, Said] = {}
        self.asked: list[str] = []
        self.unchanged: list[str] = []
        site = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                said = site.pages.get(self.path, Said(b"nothing here", 404))
                mark = said.headers.get("ETag")
                if said.status == 200 and mark and self.headers["If-None-Match"] == mark:
                    site.unchanged.append(self.path)
                    said = Said(status=304)
                self.send_response(said.status)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                if said.status != 304:
                    self.send_header("Content-Length", str(len(said.body)))
                self.end_headers()
                try:
                    self.wfile.write(said.body)
                except OSError:
                    return  # nobody reads on

        self._server = Loopback(Handler)
        self.address = f"http://127.0.0.1:{self._server.port}"
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()

    def maps(self, *paths: str, at: str = "/sitemap.xml", changed: str = "") -> None:
        """Has a sitemap of these pages."""
        told = f"<lastmod>{changed}</lastmod>" if changed else ""
        rows = "".join(f"<url><loc>{self.address}{path}</loc>{told}</url>" for path in paths)
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        self.pages[at] = Said(f'<urlset xmlns="{space}">{rows}</urlset>'.encode())

    def leads(self, path: str, to: str) -> None:
        self.pages[path] = Said(status=302, headers={"Location": to})
