"""Mail is sent in the background, so nobody waits for it or learns from the wait who has an account."""

import logging
from concurrent.futures import ThreadPoolExecutor

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)
_senders = ThreadPoolExecutor(max_workers=2, thread_name_prefix="mail")


def send_later(message: EmailMessage) -> None:
    _senders.submit(_send, message)


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        logger.exception(
            "A mail could not be sent. Check SVQ_EMAIL_URL; the person who waits for it can ask again."
        )
