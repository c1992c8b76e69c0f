"""The OAuth server: oauthlib's code grant and renewals, over what `accounts.programs` keeps.

Programs have no secrets, so each has to prove that it is the one that asked (PKCE, by SHA-256 alone). Every
token is for the address of MCP alone (RFC 8707).
"""

import re
from typing import Any

from django.http import HttpRequest
from django.utils.http import urlencode
from oauthlib.common import Request
from oauthlib.oauth2 import RequestValidator
from oauthlib.oauth2.rfc6749.endpoints import AuthorizationEndpoint, RevocationEndpoint, TokenEndpoint
from oauthlib.oauth2.rfc6749.errors import InvalidRequestError, OAuth2Error
from oauthlib.oauth2.rfc6749.grant_types import AuthorizationCodeGrant, RefreshTokenGrant
from oauthlib.oauth2.rfc6749.grant_types.authorization_code import code_challenge_method_s256
from oauthlib.oauth2.rfc6749.tokens import BearerToken

from accounts.models import TokenScope
from accounts.programs import tokens
from accounts.programs.addresses import is_one_of
from accounts.programs.models import Program
from accounts.programs.rule import SCOPES, resource
from accounts.secret_texts import new_secret

SHA_256 = re.compile(r"[A-Za-z0-9_-]{43}")  # of a verifier, as PKCE writes it
LONGEST = 2000  # characters of a parameter
# What is read of a request. Others are left out (RFC 6749): oauthlib has names of its own among them.
PARAMETERS = {
    *("client_id", "redirect_uri", "response_type", "scope", "state", "resource"),
    *("code_challenge", "code_challenge_method", "code_verifier", "code"),
    *("grant_type", "refresh_token", "token", "token_type_hint"),
}


class InvalidTarget(OAuth2Error):
    error = "invalid_target"
    description = "Tokens are given for the address of MCP alone."


class Sha256CodeGrant(AuthorizationCodeGrant):
    """Without “plain”, which proves nothing to whoever has read along."""

    _code_challenge_methods = {"S256": code_challenge_method_s256}


class Validator(RequestValidator):
    """What oauthlib asks of a request. `request.client` is the Program."""

    # --- programs
    def validate_client_id(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> bool:
        """The page has read the program's document by now, if that is what it is known by."""
        request.client = Program.objects.filter(client_id=client_id).first()
        return request.client is not None

    def authenticate_client_id(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> bool:
        return bool(client_id) and self.validate_client_id(client_id, request)

    def client_authentication_required(self, request: Request, *args: Any, **kwargs: Any) -> bool:
        return False

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return is_one_of(redirect_uri, request.client.redirect_uris)

    def get_default_redirect_uri(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> None:
        return None

    def validate_response_type(
        self, client_id: str, response_type: str, client: Program, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return response_type == "code"

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Program, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return grant_type in ("authorization_code", "refresh_token")

    # --- rights
    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Program, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return set(scopes) <= set(SCOPES)

    def get_default_scopes(self, client_id: str, request: Request, *args: Any, **kwargs: Any) -> list[str]:
        return [scope.value for scope in SCOPES]

    # --- codes
    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        return True

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        tokens.make_code(
            code["code"],
            person=request.user,
            program=request.client,
            scopes=[TokenScope(scope) for scope in request.scopes],
            datasource_ids=request.datasource_ids,
            redirect_uri=request.redirect_uri,
            challenge=request.code_challenge,
        )

    def validate_code(
        self, client_id: str, code: str, client: Program, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        request.found_code = found = tokens.code_of(code, client)
        if found is None:
            return False
        request.user, request.scopes = found.person, found.scopes
        return True

    def get_code_challenge(self, code: str, request: Request) -> str:
        challenge: str = request.found_code.challenge
        return challenge

    def get_code_challenge_method(self, code: str, request: Request) -> str:
        return "S256"

    def confirm_redirect_uri(
        self,
        client_id: str,
        code: str,
        redirect_uri: str,
        client: Program,
        request: Request,
        *args: Any,
        **kw: Any,
    ) -> bool:
        """The very one that the code was sent to, its port too."""
        return bool(redirect_uri == request.found_code.redirect_uri)

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """It was spent with its tokens."""

    # --- tokens
    def validate_refresh_token(
        self, refresh_token: str, client: Program, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        request.found_refresh_token = found = tokens.refresh_token_of(refresh_token, client)
        if found is None:
            return False
        request.user = found.grant.token.user
        return True

    def get_original_scopes(
        self, refresh_token: str, request: Request, *args: Any, **kwargs: Any
    ) -> list[str]:
        scopes: list[str] = request.found_refresh_token.grant.scopes
        return scopes

    def rotate_refresh_token(self, request: Request) -> bool:
        return True

    def save_bearer_token(self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any) -> None:
        access, refresh = token["access_token"], token["refresh_token"]
        if request.grant_type == "refresh_token":
            tokens.spend_refresh_token(request.found_refresh_token, request.scopes, access, refresh)
        else:
            tokens.spend_code(request.found_code, access, refresh)

    def revoke_token(
        self, token: str, token_type_hint: str | None, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """All of it, whichever of its texts is named: the program is out."""
        if grant := tokens.find_by_text(token, request.client):
            tokens.end(grant, by=grant.token.user, why="the program asked for it")


def check_target(request: Request) -> dict[str, str]:
    """Raises InvalidTarget. Programs from before resource indicators name none, and mean the only one."""
    if request.resource and request.resource.rstrip("/") != resource():
        raise InvalidTarget(request=request)
    return {}


def check_challenge(request: Request) -> dict[str, str]:
    """Raises InvalidRequestError, rather than keep what no verifier can match."""
    given = request.code_challenge
    if given is not None and not SHA_256.fullmatch(given):
        raise InvalidRequestError("code_challenge is no SHA-256 as PKCE writes it.", request=request)
    return {}


class ProgramsServer(AuthorizationEndpoint, TokenEndpoint, RevocationEndpoint):
    """These kinds alone: no token straight into an address, no password, no program for itself."""

    def __init__(self) -> None:
        validator = Validator()
        checks: dict[str, Any] = {"pre_token": [check_target]}
        code = Sha256CodeGrant(validator, pre_auth=[check_target, check_challenge], **checks)
        bearer = BearerToken(validator, _new_access, tokens.ACCESS_SECONDS, lambda request: new_secret())
        AuthorizationEndpoint.__init__(
            self, default_response_type="code", response_types={"code": code}, default_token_type=bearer
        )
        TokenEndpoint.__init__(
            self,
            default_grant_type="authorization_code",
            grant_types={"authorization_code": code, "refresh_token": RefreshTokenGrant(validator, **checks)},
            default_token_type=bearer,
        )
        RevocationEndpoint.__init__(self, validator)


def _new_access(request: Request) -> str:
    renewed = getattr(request, "found_refresh_token", None)
    return tokens.new_text(renewed.grant.token.beginning if renewed else tokens.new_beginning())


def parts(request: HttpRequest) -> dict[str, Any]:
    """As oauthlib takes a request: the known parameters alone, each spelt in one way."""
    return {
        "uri": f"{request.path}?{_known(request.GET)}",
        "http_method": request.method,
        "body": _known(request.POST),
        "headers": {"Content-Type": request.content_type or ""},
    }


def _known(given: Any) -> str:
    """A parameter that is too long is cut: it matches nothing then."""
    pairs = [
        (name, value[:LONGEST]) for name, values in given.lists() for value in values if name in PARAMETERS
    ]
    return urlencode(pairs)


server = ProgramsServer()
