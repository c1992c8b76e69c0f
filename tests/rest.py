"""A program that uses the REST API."""

import json
from collections.abc import Collection
from typing import Any
from uuid import uuid4

from django.test import Client

from accounts.api_tokens import make_token
from accounts.models import TokenScope, User
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


def program(person: User, *scopes: TokenScope, only: Collection[int] | None = None) -> Api:
    """With an API token of the person. `only`: the datasources that it reaches."""
    api = Api()
    _, text = make_token(person, name=f"Bot {uuid4()}", scopes=scopes, datasource_ids=only, days=1)
    api.headers = {"Authorization": f"Bearer {text}"}
    return api
