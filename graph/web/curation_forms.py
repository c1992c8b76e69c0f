"""What people fill in to change an entity. Each form writes one decision; `save` raises ValidationError."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Case, QuerySet, Value, When
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from datasources.models import Datasource, Document
from graph.curation import services
from graph.models import Decision, Entity, EntityMention, EntityName, GraphSettings
from graph.values.names import key
from graph.values.ontology import type_name
from graph.values.type_styles import TypeStyle, first_style, type_style
from localization.promises import StrOrPromise
from localization.typed import names_apart

FOUND = 12  # entities that a search offers
DOCUMENTS = 200  # documents offered to split a name in


class EntityForm(forms.Form):
    """A change of one entity."""

    kind: ClassVar[str]  # as in its address
    title: ClassVar[StrOrPromise]  # of the dialog, with the entity's name
    button: ClassVar[StrOrPromise]
    said: ClassVar[StrOrPromise]  # once it is done

    def __init__(self, *args: Any, entity: Entity, datasource: Datasource, **more: Any) -> None:
        super().__init__(*args, **more)
        self.entity, self.datasource = entity, datasource

    def save(self, user: User) -> Decision:
        raise NotImplementedError


def entities_named(datasource: Datasource, entity: Entity, words: str) -> QuerySet[Entity]:
    """The datasource's other entities that go by such a name, the very name first."""
    others = Entity.objects.filter(datasource=datasource, hidden=False).exclude(pk=entity.pk)
    wanted = key(words)
    if not wanted:
        return others.none()
    named = EntityName.objects.filter(datasource=datasource, key__contains=wanted)
    very = Case(
        When(key=wanted, then=Value(0)), When(key__startswith=wanted, then=Value(1)), default=Value(2)
    )
    return others.filter(pk__in=named.values("entity")).order_by(very, "-mention_count", "key")


class MergeForm(EntityForm):
    """`q` searches; `other` is the entity that was chosen among those found."""

    kind = "merge"
    title, button = _("Merge “%s” with another entity"), _("Merge the two")
    said = _("“%s” and the other entity are now one.")
    q = forms.CharField(label=_("The other entity"), required=False, max_length=200)
    other = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    def candidates(self) -> list[tuple[Entity, TypeStyle]]:
        """What the search found."""
        words = self["q"].value() or ""
        others = entities_named(self.datasource, self.entity, words)[:FOUND]
        return [(other, first_style(other.types)) for other in others]

    def save(self, user: User) -> Decision:
        other = Entity.objects.filter(datasource=self.datasource, pk=self.cleaned_data["other"] or 0).first()
        if other is None:
            raise ValidationError(_("Search for the other entity and choose it, then merge."))
        return services.merge(self.entity, other, user)


class AliasForm(EntityForm):
    kind = "alias"
    title, button = _("Another name for “%s”"), _("Add the name")
    said = _("“%s” now has another name.")
    name = forms.CharField(
        label=_("Name"),
        max_length=300,
        help_text=_(
            "Documents that use it, now or later, mean this entity. If another entity has this name,"
            " the two become one."
        ),
    )

    def save(self, user: User) -> Decision:
        return services.add_alias(self.entity, self.cleaned_data["name"], user)


class RenameForm(EntityForm):
    kind = "rename"
    title, button = _("Rename “%s”"), _("Rename")
    said = _("“%s” has a new name.")
    name = forms.CharField(
        label=_("Shown as"), max_length=300, help_text=_("It is still found by its other names.")
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["name"].initial = self.entity.name

    def save(self, user: User) -> Decision:
        return services.rename(self.entity, self.cleaned_data["name"], user)


class RetypeForm(EntityForm):
    kind = "types"
    title, button = _("Types of “%s”"), _("Change the types")
    said = _("The types of “%s” were changed.")
    types = forms.MultipleChoiceField(
        label=_("Types"), required=False, widget=forms.CheckboxSelectMultiple({"class": "check"}), choices=[]
    )
    more = forms.CharField(
        label=_("Other types"), required=False, max_length=200, help_text=_("Separated by commas.")
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        names = [*GraphSettings.objects.of(self.datasource).types.entity_names, *self.entity.types]
        choices = self.fields["types"]
        assert isinstance(choices, forms.MultipleChoiceField)
        choices.choices = [(name, type_style(name).label) for name in dict.fromkeys(names)]
        choices.initial = self.entity.types

    def save(self, user: User) -> Decision:
        others = map(type_name, names_apart(self.cleaned_data["more"]))
        return services.retype(self.entity, [*self.cleaned_data["types"], *others], user)


class SplitForm(EntityForm):
    """A name is another thing: everywhere, or in one document."""

    kind = "split"
    title, button = _("Split “%s”"), _("Split it off")
    said = _("What was split off “%s” is now an entity of its own.")
    name = forms.ModelChoiceField(
        EntityName.objects.none(),
        label=_("Which name means something else?"),
        empty_label=None,
        widget=forms.RadioSelect({"class": "check"}),
    )
    document = forms.ModelChoiceField(
        Document.objects.none(),
        label=_("Where?"),
        required=False,
        empty_label=_("In all documents"),
        help_text=_("One document, if the same name means something else only there."),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        names, documents = self.fields["name"], self.fields["document"]
        assert isinstance(names, forms.ModelChoiceField)
        assert isinstance(documents, forms.ModelChoiceField)
        names.queryset = self.entity.names.order_by("-count", "key")
        ids = EntityMention.objects.filter(named__entity=self.entity, live=True).values("document")
        documents.queryset = Document.objects.filter(pk__in=ids).order_by("title", "pk")

    def offered(self) -> QuerySet[Document]:
        """The documents to choose from."""
        documents = self.fields["document"]
        assert isinstance(documents, forms.ModelChoiceField)
        assert documents.queryset is not None
        return documents.queryset[:DOCUMENTS]

    def save(self, user: User) -> Decision:
        name, document = self.cleaned_data["name"], self.cleaned_data["document"]
        if document is None:
            return services.separate(name, user)
        return services.split(name, document, user)


class HideForm(EntityForm):
    kind = "hide"
    title, button = _("Leave “%s” out"), _("Leave it out")
    said = _("“%s” is left out of the graph and of searches.")

    def save(self, user: User) -> Decision:
        return services.hide(self.entity, user)
