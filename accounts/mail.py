"""Mail leaves in the background: nobody waits for the mail server, or learns from it who has an account."""

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
        logger.exception("A mail could not be sent. Check SVQ_EMAIL_URL; who waits for it can ask again.")
