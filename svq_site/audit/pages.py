"""The pages that requests of the audit log asked for, in the reader's words."""

import re
from functools import cache, lru_cache

from django.urls import Resolver404, ResolverMatch, get_resolver, resolve
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from accounts.sections import settings_of_account, settings_of_server
from datasources.registry import registered
from datasources.web.tabs import Tab
from settings_pages.search import Setting

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
# Beside the tabs of a datasource and the settings, which name themselves.
PAGES = {
    "reader": gettext_noop("Document"),
    "document_terms": gettext_noop("Defined terms"),
    "glance": gettext_noop("At a glance"),
    "document_glance": gettext_noop("At a glance"),
    "compare_documents": gettext_noop("Compare"),
    "source": gettext_noop("Source"),
    "source_card": gettext_noop("Source"),
    "conversation": gettext_noop("Conversation"),
    "entity": gettext_noop("Entity"),
    "graph_review": gettext_noop("Review"),
    "graph_relations": gettext_noop("Relations"),
    "question_set": gettext_noop("Question set"),
    "framework": gettext_noop("Lists of points"),
    "table": gettext_noop("Table"),
    "search": gettext_noop("Search"),
    "search_all": gettext_noop("Search"),
    "activity": gettext_noop("Activity"),
}
OF_A_FILE = {"page_image", "source_page"}  # their address has the number of a page


class Pages:
    """Their names, for one reader."""

    def __init__(self, reader: User) -> None:
        tabs = {tab.url: str(tab.label) for tab in registered("DATASOURCE_TABS", Tab)}
        self._named = tabs | {name: _(words) for name, words in PAGES.items()}
        self._settings = {_path(one): one.place for one in settings_of_account()} | {
            _path(one): one.name for one in settings_of_server(reader) if one.address.endswith("#main")
        }

    def of(self, address: str) -> str:
        """The page, or the nearest one above it that has a name. Of REST, and of what is no request, none."""
        method, _space, path = address.partition(" ")
        if method not in METHODS:
            return ""
        while len(path) > 1:
            if name := self._settings.get(path) or self._of_match(_match(path)):
                return name
            path = path.rstrip("/").rpartition("/")[0] + "/"
        return ""

    def _of_match(self, match: ResolverMatch | None) -> str:
        if match is None or match.url_name is None:
            return ""
        if match.url_name in OF_A_FILE:
            return _("page %(n)s") % {"n": match.kwargs["number"]}
        return self._named.get(match.url_name, "")


def _path(setting: Setting) -> str:
    return setting.address.partition("#")[0]


@lru_cache(2_048)  # half a millisecond each, several for each line, and most come again
def _match(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None


@cache
def addresses(names: frozenset[str]) -> str:
    """Of the looks of these names, as a pattern of Postgres."""
    of_name = get_resolver().reverse_dict
    routes = [pattern for name in sorted(names) for _made, pattern, *_rest in of_name.getlist(name)]
    return re.sub(r"\(\?P<\w+>", "(", f"^(GET|HEAD) /({'|'.join(routes)})")
