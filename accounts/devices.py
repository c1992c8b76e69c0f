"""Devices on which somebody has signed in before: a cookie that says whose account that was."""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

DEVICE_COOKIE = "device"
DEVICE_SECONDS = 365 * 24 * 3600


def account_key(email: str) -> str:
    """The same for all spellings that the database takes for one address, which compares in capitals."""
    return salted_hmac("accounts.attempts", email.strip().upper(), algorithm="sha256").hexdigest()


def known_device(request: HttpRequest, account: str) -> str:
    """The device's name when the account's person has signed in on it, else nothing."""
    return _device(request) if known_as(request) == account else ""


def known_as(request: HttpRequest) -> str:
    """The account whose person has signed in on the device, if any has."""
    return _device(request).partition(".")[0]


def _device(request: HttpRequest) -> str:
    return request.get_signed_cookie(DEVICE_COOKIE, "", salt=DEVICE_COOKIE, max_age=DEVICE_SECONDS) or ""


def remember_device(response: HttpResponseBase, email: str) -> None:
    """Let this browser's next attempts pass by what strangers do to the account."""
    response.set_signed_cookie(
        DEVICE_COOKIE,
        f"{account_key(email)}.{secrets.token_urlsafe(12)}",
        salt=DEVICE_COOKIE,
        max_age=DEVICE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )
