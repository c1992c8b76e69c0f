"""What people do with frameworks: import, correct, share, attach, delete."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext, ngettext, ngettext_lazy

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.frameworks.reading.draft import (
    DEEPEST,
    LONGEST_DOMAIN,
    LONGEST_REF,
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_REQUIREMENTS,
    Draft,
)
from desks.compliance.models import Assessment, Attachment, Finding, Framework, Requirement, Review
from formats.base.characters import visible_name
from localization.numbers import numeral
from text.normal_forms.storable import storable

MOST_FRAMEWORKS = 200  # of one person
LONGEST_NAME = 200


@transaction.atomic
def store(person: User, draft: Draft, name: str = "") -> Framework:
    """The draft as a framework of that person. Raises ValidationError."""
    title = _checked_name(person, name or draft.name)
    if Framework.objects.filter(owner=person).count() >= MOST_FRAMEWORKS:
        raise ValidationError(
            gettext("You have {most_frameworks} lists, and no more are allowed. Delete one first.").format(
                most_frameworks=MOST_FRAMEWORKS
            ),
            code="too_many",
        )
    framework = Framework.objects.create(
        owner=person,
        name=title,
        ref=storable(draft.ref),
        version=storable(draft.version),
        description=storable(draft.description),
        publisher=storable(draft.publisher),
        rights=storable(draft.rights),
        source=draft.source,
        language=storable(draft.language),
    )
    rows = [
        Requirement(
            framework=framework,
            position=place,
            depth=node.depth,
            ref=storable(node.ref),
            title=storable(node.title),
            text=storable(node.text),
            domain=storable(node.domain),
            is_assessable=node.is_assessable,
            translations=storable(dict(node.translations)),
        )
        for place, node in enumerate(draft.nodes, start=1)
    ]
    above: list[Requirement] = []
    for row in Requirement.objects.bulk_create(rows, batch_size=500):
        del above[row.depth :]
        row.parent = above[-1] if above else None
        above.append(row)
    Requirement.objects.bulk_update(rows, ["parent"], batch_size=500)
    return framework


def _checked_name(person: User, name: str, besides: int = 0) -> str:
    name = visible_name(name)
    if not name:
        raise ValidationError(gettext("A list needs a name. Nothing was stored."), code="name_missing")
    if len(name) > LONGEST_NAME:
        raise ValidationError(
            ngettext(
                "The name has {n} character; {longest_name} are allowed. Nothing was stored; "
                "give it another name.",
                "The name has {n} characters; {longest_name} are allowed. Nothing was stored; "
                "give it another name.",
                len(name),
            ).format(n=numeral(len(name)), longest_name=numeral(LONGEST_NAME)),
            code="name_long",
        )
    # Two who come at the same moment would both find the name free.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    same = Framework.objects.filter(owner=person, name__iexact=name).exclude(pk=besides)
    if same.exists():
        raise ValidationError(
            gettext(
                "You already have a list called “{name}”. Nothing was stored; choose another name."
            ).format(name=name),
            code="name_taken",
        )
    return name


@transaction.atomic
def change_framework(framework: Framework, *, name: str | None = None, is_shared: bool | None = None) -> None:
    """Raises ValidationError."""
    if name is not None:
        framework.name = _checked_name(framework.owner, name, framework.pk)
    if is_shared is not None:
        framework.is_shared = is_shared
    framework.save(update_fields=["name", "is_shared", "updated"])


@transaction.atomic
def delete_framework(framework: Framework) -> None:
    """Raises ValidationError while anything was assessed against it, in whoever's datasource."""
    Framework.objects.select_for_update().get(pk=framework.pk)
    if Assessment.objects.filter(framework=framework).exists():
        raise ValidationError(
            gettext(
                "Documents were checked against “{framework}”. Nothing was deleted; "
                "delete these checks first."
            ).format(framework=framework),
            code="in_use",
        )
    framework.delete()


# --- where it is used ------------------------------------------------------------------------------------
@transaction.atomic
def attach(framework: Framework, datasource: Datasource, person: User) -> Attachment:
    """The caller has checked that the person may attach it, and may edit there."""
    made, _ = Attachment.objects.get_or_create(
        framework=framework, datasource=datasource, defaults={"attached_by": person}
    )
    return made


@transaction.atomic
def detach(framework: Framework, datasource: Datasource) -> None:
    """Raises ValidationError while the datasource has assessments against it."""
    if Assessment.objects.filter(framework=framework, datasource=datasource).exists():
        raise ValidationError(
            gettext(
                "Documents here were checked against “{framework}”. It stays; delete these checks first."
            ).format(framework=framework),
            code="in_use",
        )
    Attachment.objects.filter(framework=framework, datasource=datasource).delete()


# --- corrections -----------------------------------------------------------------------------------------
LENGTHS = {
    "ref": (
        ngettext_lazy(
            "The reference has %(n)s character; %(most)s are allowed. Nothing was changed.",
            "The reference has %(n)s characters; %(most)s are allowed. Nothing was changed.",
            "count",
        ),
        LONGEST_REF,
    ),
    "title": (
        ngettext_lazy(
            "The title has %(n)s character; %(most)s are allowed. Nothing was changed.",
            "The title has %(n)s characters; %(most)s are allowed. Nothing was changed.",
            "count",
        ),
        LONGEST_TITLE,
    ),
    "domain": (
        ngettext_lazy(
            "The domain has %(n)s character; %(most)s are allowed. Nothing was changed.",
            "The domain has %(n)s characters; %(most)s are allowed. Nothing was changed.",
            "count",
        ),
        LONGEST_DOMAIN,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a person has typed for a requirement."""

    ref: str = ""
    title: str = ""
    text: str = ""
    domain: str = ""
    is_assessable: bool = True

    def columns(self) -> dict[str, object]:
        """Raises ValidationError."""
        if not (self.title.strip() or self.text.strip()):
            raise ValidationError(
                gettext("A point needs a title or a text. Nothing was changed."), code="empty"
            )
        if len(self.text) > LONGEST_TEXT:
            raise ValidationError(
                ngettext(
                    "This text has {n} character; {longest_text} are allowed.",
                    "This text has {n} characters; {longest_text} are allowed.",
                    len(self.text),
                ).format(n=numeral(len(self.text)), longest_text=numeral(LONGEST_TEXT)),
                code="too_long",
            )
        lines = {name: " ".join(getattr(self, name).split()) for name in LENGTHS}
        for name, (too_long, most) in LENGTHS.items():
            if len(lines[name]) > most:
                length = len(lines[name])
                told = str(too_long % {"count": length, "n": numeral(length), "most": numeral(most)})
                raise ValidationError(told, code="too_long")
        return storable({**lines, "text": self.text.strip()}) | {"is_assessable": self.is_assessable}


@transaction.atomic
def correct(requirement: Requirement, correction: Correction) -> None:
    """Raises ValidationError. A later check looks again at a requirement whose words have changed."""
    Requirement.objects.filter(pk=requirement.pk).update(**correction.columns())
    _touch(requirement.framework)


@transaction.atomic
def add_requirement(
    framework: Framework, correction: Correction, *, after: Requirement | None, deeper: bool = False
) -> Requirement:
    """Behind another one and all below it, on its level; `deeper`: its last child. Raises ValidationError."""
    columns = correction.columns()
    Framework.objects.select_for_update().get(pk=framework.pk)
    if framework.requirements.count() >= MOST_REQUIREMENTS:
        raise ValidationError(
            gettext("“{framework}” has {most_requirements} points, and no more are allowed.").format(
                framework=framework, most_requirements=numeral(MOST_REQUIREMENTS)
            ),
            code="too_many",
        )
    depth, parent = 0, None
    position = framework.requirements.count() + 1
    if after is not None:
        after.refresh_from_db()  # what was put before it has moved it
        depth, parent = (after.depth + 1, after) if deeper else (after.depth, after.parent)
        if depth > DEEPEST:
            raise ValidationError(
                gettext("More than {deepest} levels are not allowed.").format(deepest=DEEPEST),
                code="too_deep",
            )
        position = _end_of(after) + 1
        framework.requirements.filter(position__gte=position).update(position=F("position") + 1)
    made = Requirement.objects.create(
        framework=framework, parent=parent, position=position, depth=depth, **columns
    )
    _touch(framework)
    return made


@transaction.atomic
def remove_requirement(requirement: Requirement) -> None:
    """With all below it. Raises ValidationError when something was found or said of one of them."""
    requirement.refresh_from_db()
    rows = subtree(requirement)
    if (
        Finding.objects.filter(requirement__in=rows).exists()
        or Review.objects.filter(requirement__in=rows).exists()
    ):
        raise ValidationError(
            gettext(
                "Documents were checked against “{requirement}”. Nothing was removed; "
                "untick “It can be checked” instead."
            ).format(requirement=requirement),
            code="in_use",
        )
    framework, start, end = requirement.framework, requirement.position, _end_of(requirement)
    requirement.delete()
    later = framework.requirements.filter(position__gt=end)
    later.update(position=F("position") - (end - start + 1))
    _touch(framework)


def subtree(requirement: Requirement) -> "list[Requirement]":
    """The requirement and all below it, in order."""
    rows = requirement.framework.requirements.filter(
        position__gte=requirement.position, position__lte=_end_of(requirement)
    )
    return list(rows.order_by("position"))


def _end_of(requirement: Requirement) -> int:
    """The position of the last requirement below it, or its own."""
    later = requirement.framework.requirements.filter(position__gt=requirement.position)
    following = later.filter(depth__lte=requirement.depth).order_by("position").first()
    return (following.position if following else requirement.framework.requirements.count() + 1) - 1


def _touch(framework: Framework) -> None:
    framework.save(update_fields=["updated"])
