"""A device with a passkey that signs whatever a test puts into it, as no honest browser would."""

import json
import os
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from django.urls import reverse
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

HOST = "localhost:8000"
ORIGIN = f"http://{HOST}"
FLAG = AuthenticatorData.FLAG


def browser() -> Client:
    """At an address with a name and a port."""
    return Client(headers={"host": HOST})


class Device:
    """`counter`: what it says next of how often it has signed."""

    def __init__(self, counter: int = 0) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(16)
        self.counter = counter
        self.person = b""

    def add_to(self, client: Client, **told: Any) -> Any:
        """The page after a person who is signed in adds it. told: what the browser says otherwise."""
        asked = client.get(reverse("mfa_add_webauthn")).context["js_data"]["creation_options"]["publicKey"]
        self.person = websafe_decode(asked["user"]["id"])
        public = ES256.from_cryptography_key(self.key.public_key())
        kept = AttestedCredentialData.create(bytes(16), self.id, public)
        data = self._data(FLAG.UP | FLAG.UV | FLAG.AT, kept)
        said = client_data("webauthn.create", asked["challenge"], told)
        made = {"attestationObject": websafe_encode(AttestationObject.create("none", data, {}))}
        return client.post(reverse("mfa_add_webauthn"), {"credential": self._sent(said, made)}, follow=True)

    def sign_in(self, client: Client, **told: Any) -> Any:
        """The page after it is used in place of a password."""
        page = reverse("mfa_login_webauthn")
        options = client.get(page, headers={"accept": "application/json"}).json()["request_options"]
        said = client_data("webauthn.get", options["publicKey"]["challenge"], told)
        data = self._data(FLAG.UP | FLAG.UV)
        signature = self.key.sign(data + sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        given = {"authenticatorData": data, "signature": signature, "userHandle": self.person}
        signed = {name: websafe_encode(value) for name, value in given.items()}
        return client.post(page, {"credential": self._sent(said, signed)}, follow=True)

    def _data(self, flags: FLAG, kept: bytes = b"") -> AuthenticatorData:
        of_site = sha256(HOST.partition(":")[0].encode()).digest()
        return AuthenticatorData.create(of_site, flags, self.counter, kept)

    def _sent(self, said: CollectedClientData, response: dict[str, str]) -> str:
        name = websafe_encode(self.id)
        response |= {"clientDataJSON": websafe_encode(said)}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def client_data(kind: str, challenge: str, told: dict[str, Any]) -> CollectedClientData:
    said = {"type": kind, "challenge": challenge, "origin": ORIGIN, "crossOrigin": False} | told
    return CollectedClientData(json.dumps(said).encode())
