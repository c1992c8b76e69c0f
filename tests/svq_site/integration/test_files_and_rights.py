"""Every address that gives a file away: whoever has lost the right while it was made does not get it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, GroupShare, Invitation, Membership
from svq_site.audit import middleware
from svq_site.audit.acts import GIVES
from svq_site.handing_out import while_allowed
from tests.addresses import AUTHOR, OWNER, ROWS, SIGNED_IN, VIEWER, path_of
from tests.people import PASSWORD
from tests.responses import content_of
from tests.world import client_of

pytest_plugins = ["tests.shared_world"]

AT_ONCE = {"document_original"}  # is there already, and begins to leave in the moment that it is asked for
FILES = sorted(name for name in GIVES - AT_ONCE if (needed := ROWS[name].GET) and VIEWER <= needed <= AUTHOR)


def is_file(response: Any) -> bool:
    return response.headers.get("Content-Disposition", "").startswith("attachment")


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_not_handed_to_who_was_the_owner(
    name: str, shared_world: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, client = path_of(name, shared_world), client_of(shared_world.people[OWNER])
    with transaction.atomic():
        given = client.get(path)
        assert is_file(given)
        content_of(given)
        transaction.set_rollback(True)

    def made_meanwhile(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if is_file(response):
            Datasource.objects.update(owner=shared_world.people[SIGNED_IN], matter=None)
            for shares in (Membership, GroupShare, Invitation):
                shares._default_manager.all().delete()
        return while_allowed(request, response)

    monkeypatch.setattr(middleware, "while_allowed", made_meanwhile)
    with transaction.atomic():
        refused = client.get(path)
        content_of(refused)
        transaction.set_rollback(True)
    assert (refused.status_code, is_file(refused)) == (404, False)


def demote(person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_superuser=False)


def change_password(person: User) -> None:
    User.objects.filter(pk=person.pk).update(password="another")


@pytest.mark.parametrize("lose", [demote, change_password])
def test_the_audit_log_is_not_handed_to_who_was_an_administrator(
    lose: Callable[[User], None], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    client, path = client_of(root), reverse("audit_csv")
    given = client.get(path)
    assert is_file(given)
    content_of(given)

    def made_meanwhile(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        lose(root)
        return while_allowed(request, response)

    monkeypatch.setattr(middleware, "while_allowed", made_meanwhile)
    assert client.get(path).status_code == 404
