"""A bucket of S3 or of a server that speaks like it, all of it or what begins with a prefix.

Requests go through our own client, which reaches public addresses alone; botocore signs them.
"""

from collections.abc import Callable, Generator, Iterator
from typing import BinaryIO
from urllib.parse import quote, urlencode, urlsplit

import httpx
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from django.utils.translation import gettext as _

from exchange.connectors.sources.source import Entry, SourceError, parsed_size
from exchange.connectors.sources.web import Web
from formats.base.errors import ExtractionError
from formats.embedded.xml import Element, local, parse

NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of no bytes
LISTED = 1000  # objects in an answer, the most there are
USUAL_REGION = "us-east-1"


class Signed(httpx.Auth):
    """Signature version 4 of AWS."""

    def __init__(self, key: str, secret: str, region: str) -> None:
        self._signer = S3SigV4Auth(Credentials(key, secret), "s3", region)

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        values = {"Host": request.headers["host"], "X-Amz-Content-SHA256": NOTHING}
        signed = AWSRequest(method=request.method, url=str(request.url), headers=values)
        self._signer.add_auth(signed)
        request.headers.update(dict(signed.headers.items()))
        yield request


class BucketSource:
    """place: https://server/bucket or https://server/bucket/prefix."""

    def __init__(
        self,
        place: str,
        user_name: str,
        secret: str,
        region: str,
        should_stop: Callable[[], bool],
    ) -> None:
        parts = urlsplit(place)
        bucket, _, self._prefix = parts.path.strip("/").partition("/")
        self._bucket = f"{parts.scheme}://{parts.netloc}/{quote(bucket)}"
        self._web = Web(Signed(user_name, secret, region or USUAL_REGION), should_stop)

    def try_it(self) -> None:
        self._listed({"max-keys": "1"})

    def entries(self) -> Iterator[Entry]:
        following = ""
        while True:
            further = {"continuation-token": following} if following else {}
            root = self._listed({"max-keys": str(LISTED)} | further)
            for each in root:
                if local(each) == "Contents":
                    yield from self._entry({local(part): part.text or "" for part in each})
            values = {local(each): each.text or "" for each in root}
            if values.get("IsTruncated", "").strip().lower() != "true":
                return
            before, following = following, values.get("NextContinuationToken", "")
            if following in ("", before):
                raise SourceError(
                    "half_a_list",
                    _("The server says that there are more files, but not how to ask for them."),
                    _("Nothing was changed."),
                )

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        self._web.download(f"{self._bucket}/{quote(self._below + entry.path)}", file, most)
        return ""

    def close(self) -> None:
        self._web.close()

    @property
    def _below(self) -> str:
        return f"{self._prefix}/" if self._prefix else ""

    def _entry(self, values: dict[str, str]) -> Iterator[Entry]:
        path, size = values.get("Key", "").removeprefix(self._below), values.get("Size", "")
        if path and not path.endswith("/"):  # which stands for a folder
            version = values.get("ETag") or f"{values.get('LastModified', '')} {size}"
            yield Entry(path=path, version=version[:200], size=parsed_size(size))

    def _listed(self, asked: dict[str, str]) -> Element:
        asked = {"list-type": "2", "prefix": self._below} | asked
        return self._parsed(self._web.listing("GET", f"{self._bucket}?{urlencode(asked, quote_via=quote)}"))

    @staticmethod
    def _parsed(body: bytes) -> Element:
        refusal = SourceError("no_bucket", _("What answers at this address does not speak S3."))
        try:
            root = parse(body)
        except ExtractionError:
            raise refusal from None
        if local(root) != "ListBucketResult":
            raise refusal
        return root
