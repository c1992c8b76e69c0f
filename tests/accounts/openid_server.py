"""An OpenID provider on loopback that says whatever a test wants, also what no honest one would.

    with OpenIdServer() as server:
        server.person["email"] = "dora@example.org"
        server.forge = lambda header, claims, key: ...  # another ID token

It keeps to the protocol otherwise: a code counts once, for its client, its address and its PKCE challenge.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.loopback import Loopback, QuietHandler

CLIENT, SECRET = "svq", "a secret: of / the client"
KEY, OTHER_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
Forge = Callable[[dict[str, Any], dict[str, Any]], str]


def signed(claims: dict[str, Any], key: Any = KEY, algorithm: str = "RS256", **header: Any) -> str:
    return jwt.encode(claims, key, algorithm, headers={"kid": "one"} | header)


class OpenIdServer:
    def __init__(self) -> None:
        self.person: dict[str, Any] = {"sub": "d0ra", "email": "dora@example.org", "email_verified": True}
        self.more: dict[str, Any] = {}  # what only the information on the person says
        self.says: dict[str, Any] = {}  # in the discovery document, in place of the truth
        self.forge: Forge | None = None  # the ID token from what would be its header and claims
        self.answers: dict[str, str] = {}  # more parameters of the answer in the browser
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[dict[str, str]] = []  # the queries of sign-ins

    def __enter__(self) -> "OpenIdServer":
        server = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                server.get(self)

            def do_POST(self) -> None:
                server.token(self)

        self.http = Loopback(Handler)
        self.issuer = f"http://127.0.0.1:{self.http.port}"
        return self

    def __exit__(self, *args: Any) -> None:
        self.http.stop()

    # --- what it answers ---------------------------------------------------------------------------------
    def get(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        if parts.path == "/.well-known/openid-configuration":
            names = {"authorization": "authorize", "token": "token", "userinfo": "me", "end_session": "end"}
            said = {f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in names.items()}
            answer(request, said | {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys"} | self.says)
        elif parts.path == "/keys":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
            answer(request, {"keys": [public | {"kid": "one", "use": "sig", "alg": "RS256"}]})
        elif parts.path == "/me" and request.headers["Authorization"] == "Bearer access":
            answer(request, self.person | self.more)
        elif parts.path == "/authorize":
            asked = dict(parse_qsl(parts.query))
            self.asked.append(asked)
            code = secrets.token_urlsafe()
            self.codes[code] = asked
            back = {"code": code, "state": asked["state"]} | self.answers
            request.send_response(302)
            request.send_header("Location", f"{asked['redirect_uri']}?{urlencode(back)}")
            request.end_headers()
        elif parts.path == "/end":
            back_to = dict(parse_qsl(parts.query))["post_logout_redirect_uri"]
            request.send_response(302)
            request.send_header("Location", back_to)
            request.end_headers()
        else:
            answer(request, {"error": "not_found"}, 404)

    def token(self, request: BaseHTTPRequestHandler) -> None:
        form = parse_qs(request.rfile.read(int(request.headers["Content-Length"])).decode())
        given = {name: values[0] for name, values in form.items()}
        basic = base64.b64decode(request.headers.get("Authorization", "Basic ")[6:]).decode()
        if [unquote(part) for part in basic.split(":")] != [CLIENT, SECRET]:
            return answer(request, {"error": "invalid_client"}, 401)
        asked = self.codes.pop(given.get("code", ""), None)
        proof = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        if (
            asked is None
            or asked["code_challenge"] != challenge
            or asked["redirect_uri"] != given["redirect_uri"]
        ):
            return answer(request, {"error": "invalid_grant"}, 400)
        return answer(
            request,
            {"access_token": "access", "token_type": "Bearer", "id_token": self.id_token(asked["nonce"])},
        )

    def id_token(self, nonce: str) -> str:
        claims = self.claims() | self.person | {"nonce": nonce}
        header = {"kid": "one"}
        return self.forge(header, claims) if self.forge else signed(claims)

    def claims(self) -> dict[str, Any]:
        now = int(time.time())
        return {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60, "sid": "s1"}


def answer(request: BaseHTTPRequestHandler, body: dict[str, Any], status: int = 200) -> None:
    content = json.dumps(body).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content)
