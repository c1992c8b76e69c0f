"""Models on the hub, listed by its own package; their files are fetched as from any server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from localization.stored import said
from providers.http.size_limit import AS_IT_IS, BoundedPieces, TooLarge, refuse_packed
from providers.http.time_limit import within
from providers.local_models.clients import client
from providers.local_models.errors import NotInstalled
from providers.local_models.sources import LIST_PATIENCE, Listing, Opened, SourceFile, stream
from text.normal_forms.storable import storable

ENDLESS = 2**60  # bytes: no file has so many
LONGEST_LICENCE = 100  # characters
COMMIT = re.compile(r"[0-9a-f]{40}")


class HubSource:
    """A repository of the hub. What is read belongs to one commit, whatever is pushed meanwhile."""

    def __init__(self, endpoint: str, repository: str, revision: str, *, public_only: bool) -> None:
        self.place = f"{endpoint.rstrip('/')}/{repository}"
        self._endpoint, self._repository = endpoint.rstrip("/"), repository
        self._revision, self._public_only = revision, public_only

    def listing(self) -> Listing:
        from huggingface_hub import HfApi, get_session, set_client_factory  # half a second: for who installs

        set_client_factory(_listing_client)
        with (
            _failures_in_words(self._endpoint, self._repository, self._revision),
            within(LIST_PATIENCE, get_session()),
        ):
            info = HfApi(endpoint=self._endpoint).model_info(
                self._repository,
                revision=self._revision or None,
                files_metadata=True,
                timeout=LIST_PATIENCE,
            )
            files = tuple(_of_hub(sibling) for sibling in info.siblings or ())
        if not COMMIT.fullmatch(info.sha or ""):
            host = _host(self._endpoint)
            raise NotInstalled(
                said("{host} names no commit of {repository}.", host=host, repository=self._repository)
            )
        self._revision = str(info.sha)
        licence = getattr(info.card_data, "license", None)
        return Listing(
            files=files,
            revision=self._revision,
            licence=storable(licence[:LONGEST_LICENCE]) if isinstance(licence, str) else "",
        )

    @contextmanager
    def opened(self, path: str, start: int, version: str) -> Iterator[Opened]:
        from huggingface_hub import hf_hub_url
        from huggingface_hub.utils import build_hf_headers

        url = hf_hub_url(self._repository, path, revision=self._revision, endpoint=self._endpoint)
        with (
            client(public_only=self._public_only, trusted=self._endpoint) as web,
            stream(web, url, start, version, build_hf_headers()) as opened,
        ):
            yield opened


def _of_hub(sibling: Any) -> SourceFile:
    """Raises ValueError for what no hub tells of a file."""
    large = sibling.lfs
    size = sibling.size if sibling.size is not None else (large.size if large else None)
    sha256, blob = large.sha256 if large else "", "" if large else sibling.blob_id or ""
    if not all(isinstance(text, str) for text in (sibling.rfilename, sha256, blob)):
        raise ValueError("not a text")
    if size is not None and (type(size) is not int or not 0 <= size < ENDLESS):
        raise ValueError("not a size")
    return SourceFile(path=sibling.rfilename, size=size, sha256=sha256, blob=blob)


def _listing_client() -> Any:
    """For the hub's lists, whose package has a client of its own. Refuses lists from another host, compressed
    ones and endless ones.
    """
    import httpx2

    class Bounded(BoundedPieces, httpx2.SyncByteStream):
        pass

    def bound(answer: Any) -> None:
        refuse_packed(answer)
        answer.stream = Bounded(answer.stream)

    def stays(answer: Any) -> None:
        if answer.has_redirect_location:
            there = answer.request.url.join(answer.headers["location"])
            if there.netloc != answer.request.url.netloc:
                raise httpx2.ConnectError("the list is on another host", request=answer.request)

    return httpx2.Client(
        follow_redirects=True,
        max_redirects=5,
        timeout=LIST_PATIENCE,
        headers=AS_IT_IS,
        event_hooks={"response": [stays, bound]},
    )


@contextmanager
def _failures_in_words(endpoint: str, repository: str, revision: str) -> Iterator[None]:
    """Failures of the hub in words."""
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    host = _host(endpoint)
    try:
        yield
    except GatedRepoError as error:
        raise NotInstalled(
            said(
                "{repository} is available only to people who have agreed to its terms. Agree to "
                "them on its page and set HF_TOKEN, or download it and install it from a folder.",
                repository=repository,
            )
        ) from error
    except RepositoryNotFoundError as error:
        raise NotInstalled(
            said("{host} has no model {repository}, or it is private.", host=host, repository=repository)
        ) from error
    except RevisionNotFoundError as error:
        raise NotInstalled(
            said("{repository} has no revision “{revision}”.", repository=repository, revision=revision)
        ) from error
    except HFValidationError as error:
        raise NotInstalled(
            said("“{repository}” is not a valid name for a model on the hub.", repository=repository)
        ) from error
    except OfflineModeIsEnabled as error:
        raise NotInstalled(_("HF_HUB_OFFLINE is set: install it from a folder.")) from error
    except HfHubHTTPError as error:
        raise NotInstalled(
            said("{host} answers with an error. Try again later.", host=host), transient=True
        ) from error
    except TooLarge as error:
        raise NotInstalled(
            said("The list of files that {host} sends has no end, or is compressed.", host=host)
        ) from error
    except Exception as error:
        if _is_of_the_line(error):
            raise NotInstalled(
                said("{host} does not answer, or redirects to another host. Try again later.", host=host),
                transient=True,
            ) from error
        if isinstance(error, ValueError | TypeError | KeyError | AttributeError | RecursionError):
            raise NotInstalled(said("{host} does not answer as a hub does.", host=host)) from error
        raise


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""


def _is_of_the_line(error: Exception) -> bool:
    import httpx2

    return isinstance(error, httpx2.HTTPError | OSError)
