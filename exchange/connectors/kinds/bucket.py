"""A bucket of S3 or of a server that speaks like it, or a part of one."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.addresses import as_one_writes, parts_of_address
from exchange.connectors.kinds.kind import FollowedKind, Kind, Opening
from exchange.connectors.sources.bucket import BucketSource

if TYPE_CHECKING:
    from accounts.models import User


def _checked(place: str, by: "User") -> str:
    """In the names of buckets nothing is escaped."""
    parts = parts_of_address(place)
    if not parts.path.strip("/"):
        raise ValidationError(_("Give the bucket after the server: https://server/bucket."), code="place")
    return as_one_writes(parts, with_plain_path=False)


def _opened(how: Opening) -> BucketSource:
    return BucketSource(how.place, how.user_name, how.secret, how.region, how.should_stop)


BUCKET = FollowedKind(
    kind=Kind.S3,
    label=_("Address of the bucket"),
    hint=_("https://server/bucket, or https://server/bucket/folder for a part of it."),
    asks={"user_name": _("Access key ID"), "secret": _("Secret access key"), "region": _("Region")},
    check=_checked,
    open=_opened,
)
