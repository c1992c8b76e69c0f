"""A program that uses the REST API."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from django.db import connections
from django.test import Client
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.api_tokens import make_token
from accounts.models import ApiToken, TokenScope, User
from datasources.models import Datasource
from tests.people import PASSWORD

ERROR = {"code", "message", "hint"}


class Api:
    """A client of /api/v1 that speaks JSON and carries a person's token."""

    def __init__(self, user: User | None = None, password: str = PASSWORD) -> None:
        self.client = Client()
        self.headers: dict[str, str] = {}
        if user:
            signed_in = self.post("auth/login", {"email": user.email, "password": password})
            self.headers = {"Authorization": f"Bearer {signed_in.json()['access']}"}

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        data = "" if body is None else json.dumps(body)
        return self.client.generic(
            method, f"/api/v1/{path}", data, content_type="application/json", headers=self.headers | headers
        )

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=self.headers | headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def upload(self, path: str, **files: Any) -> Any:
        return self.client.post(f"/api/v1/{path}", files, headers=self.headers)


def while_working(work: Callable[[], object], call: Callable[[], Any]) -> Any:
    """What the call gives, while a worker does what it waits for.

    A worker in this process takes procrastinate's connection for itself, so it works only while the call
    queues nothing more.
    """

    def called() -> Any:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        answer, before = thread.submit(called), 0
        while not answer.done():
            queued = ProcrastinateJob.objects.filter(status="todo").count()
            if queued and queued == before:
                work()
            before = queued
            wait([answer], 0.2)
        return answer.result()


def program(
    person: User, *scopes: TokenScope, only: Sequence[Datasource] | None = None, days: int = 30
) -> tuple[Api, ApiToken]:
    """A client that carries an API token of the person, and the token."""
    ids = None if only is None else [datasource.pk for datasource in only]
    token, secret = make_token(
        person,
        name=f"Program {person.api_tokens.count()}",
        scopes=scopes or list(TokenScope),
        datasource_ids=ids,
        days=days,
    )
    client = Api()
    client.headers = {"Authorization": f"Bearer {secret}"}
    return client, token
