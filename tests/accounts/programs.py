"""Programs that carry an API token of somebody."""

from accounts.api_tokens import make_token
from accounts.models import ApiToken, TokenScope, User
from datasources.models import Datasource
from tests.rest import Api


def program(
    person: User, *scopes: TokenScope, only: list[Datasource] | None = None, days: int = 30
) -> tuple[Api, ApiToken]:
    """A client that carries a token of the person, and the token."""
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
