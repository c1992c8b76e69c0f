"""Making, finding and ending share links."""

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.audit import note
from accounts.models import AuditAct, User
from accounts.secret_texts import digest, new_secret
from chat.models import Conversation, Turn
from datasources.access import roles_among
from datasources.models import Datasource, Role, is_at_least
from exchange.shares.models import SHARERS, ShareLink, Sharers, ShareRule
from exchange.shares.shown import shown_by
from formats.base.characters import one_line
from localization.numbers import numeral
from text.counted import counted

MAX_DAYS = 366
MAX_RECIPIENT, MIN_PASSWORD, MAX_PASSWORD = 80, 8, 128
MAX_LINKS = 200  # of one person


def sharers_of(datasource: Datasource) -> Sharers:
    chosen = ShareRule.objects.filter(datasource=datasource).values_list("sharers", flat=True).first()
    return Sharers(chosen or SHARERS)


def may_share(person: User, datasource: Datasource) -> bool:
    """Whether the owner lets somebody with the person's role share by a link."""
    return (person.pk, datasource.pk) in _sharing([person], [datasource])


def _sharing(people: Collection[User], datasources: Sequence[Datasource]) -> set[tuple[int, int]]:
    """The same of several: the numbers of the person and of the datasource whose answers they may share."""
    chosen = dict(ShareRule.objects.filter(datasource__in=datasources).values_list("datasource", "sharers"))
    allowed = set()
    for (person, datasource), role in roles_among(people, datasources).items():
        sharers = Sharers(chosen.get(datasource, SHARERS))
        if sharers != Sharers.NOBODY and is_at_least(role, Role(sharers)):
            allowed.add((person, datasource))
    return allowed


def forbidden(datasource: Datasource) -> str:
    """What somebody is told who may not."""
    owner = datasource.owner.get_full_name()
    sentence = {
        Sharers.VIEWER: _("Only whoever may read its documents may share its answers by a link."),
        Sharers.EDITOR: _(
            "Only {owner}, who owns this datasource, and its editors may share its answers by a link."
        ),
        Sharers.OWNER: _("Only {owner}, who owns this datasource, may share its answers by a link."),
        Sharers.NOBODY: _("Nobody may share its answers by a link."),
    }
    return sentence[sharers_of(datasource)].format(owner=owner)


def make_link(
    maker: User, shared: Turn | Conversation, *, recipient: str, days: int, password: str = ""
) -> tuple[ShareLink, str]:
    """The link's row and its token, which is nowhere kept. The caller has checked that the maker sees what is
    shared. Raises ValidationError.
    """
    recipient = " ".join(one_line(recipient).split())
    turn = shared if isinstance(shared, Turn) else None
    conversation = shared if isinstance(shared, Conversation) else shared.conversation
    if not may_share(maker, conversation.datasource):
        raise ValidationError(forbidden(conversation.datasource), code="sharing_forbidden")
    _check(recipient, days, password)
    last = conversation.turns.order_by("-number").values_list("number", flat=True).first()
    token = new_secret()
    link = ShareLink(
        maker=maker,
        conversation=conversation,
        turn=turn,
        last_number=last or 0,
        recipient=recipient,
        digest=digest(token),
        password=make_password(password) if password else "",
        expires=timezone.now() + timedelta(days=days),
    )
    shown_by(link)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=maker.pk)
        if maker.share_links.filter(ended=None).count() >= MAX_LINKS:
            raise ValidationError(
                _("You have {max_links} share links. End one first.").format(max_links=MAX_LINKS),
                code="too_many_links",
            )
        link.save()
        note(maker, AuditAct.SHARED, link, _noted(link), datasource=conversation.datasource_id)
    return link, token


@transaction.atomic
def end_link(link: ShareLink, by: User) -> None:
    """From now on its address shows nothing; its maker still sees how often it was viewed. Twice is the same
    as once.
    """
    if link.ended is not None:
        return
    link.ended = timezone.now()
    link.save(update_fields=["ended"])
    _note_end(link, by)
    over = link.maker.share_links.exclude(ended=None).order_by("-ended").values_list("pk", flat=True)
    ShareLink.objects.filter(pk__in=list(over[MAX_LINKS:])).delete()


def remove_link(link: ShareLink, by: User) -> None:
    """It shows nothing, and is in no list."""
    link.ended_by = by
    link.delete()


@receiver(pre_delete, sender=ShareLink)
def note_end(instance: ShareLink, **_: Any) -> None:
    """Also of links that go with their answer or conversation: then their maker has ended them."""
    if instance.ended is None:
        _note_end(instance, instance.ended_by or instance.maker)


def _note_end(link: ShareLink, by: User) -> None:
    note(by, AuditAct.UNSHARED, link, _noted(link), datasource=link.conversation.datasource_id)


def link_of(token: str) -> ShareLink | None:
    """The link of that token while it is good."""
    living = ShareLink.objects.living().select_related("maker", "turn", "conversation__datasource")
    link = living.filter(digest=digest(token)).first()
    return None if link is None or resting([link]) else link


def resting(links: Iterable[ShareLink]) -> set[int]:
    """The numbers of those whose maker may not see what they show by now, or not share it: a conversation is
    its author's alone, and whoever may share its answers may see it.
    """
    listed = list(links)
    makers = {each.maker_id: each.maker for each in listed if each.maker.is_active}
    datasources = {each.conversation.datasource_id: each.conversation.datasource for each in listed}
    allowed = _sharing(makers.values(), list(datasources.values()))
    return {
        each.pk
        for each in listed
        if each.conversation.user_id != each.maker_id
        or (each.maker_id, each.conversation.datasource_id) not in allowed
    }


def count_view(link: ShareLink) -> None:
    ShareLink.objects.filter(pk=link.pk).update(views=F("views") + 1, last_viewed=timezone.now())


def _check(recipient: str, days: int, password: str) -> None:
    if not recipient:
        raise ValidationError(_("Say for whom the link is."), code="recipient_missing")
    if len(recipient) > MAX_RECIPIENT:
        raise ValidationError(
            ngettext(
                "The recipient has {n} character; the limit is {max_recipient}. Shorten it.",
                "The recipient has {n} characters; the limit is {max_recipient}. Shorten it.",
                len(recipient),
            ).format(n=numeral(len(recipient)), max_recipient=numeral(MAX_RECIPIENT)),
            code="recipient_long",
        )
    if not 1 <= days <= MAX_DAYS:
        raise ValidationError(
            _("A share link lasts from 1 to {max_days} days.").format(max_days=MAX_DAYS), code="days"
        )
    if password and not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise ValidationError(
            _("The password needs {min_password} to {max_password} characters.").format(
                min_password=MIN_PASSWORD, max_password=MAX_PASSWORD
            ),
            code="password_length",
        )
    if password:
        CommonPasswordValidator().validate(password)
    if password and not password.strip():
        raise ValidationError(_("A password can't be only spaces. Choose another."), code="blank")


def _noted(link: ShareLink) -> str:
    """Without a word of what it shows and without its recipient, which is the maker's own word: every
    administrator reads this.
    """
    what = f"answer {link.turn_id}" if link.turn_id else f"conversation {link.conversation_id}"
    viewed = f", viewed {counted(link.views, 'time')}" if link.views else ""
    return f"{what}, until {link.expires:%Y-%m-%d}{viewed}"
