"""The JSON of the graph: entities, relations, where they are told, and what people decide about them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_fields import KnownFields
from graph.curation.services import decisions_about
from graph.models import (
    Decision,
    DecisionKind,
    Entity,
    EntityMention,
    EntityName,
    Mention,
    MergeCandidate,
    Relation,
)
from graph.models.listing import ENTITY_ORDERS, RELATION_ORDERS, evidence_of, mentions_of, relations_of
from ingestion.api.serializers import ReadElsewhereField

INLINE = 20  # relations and mentions within an entity's own answer; its further addresses have all
ALIAS = "alias"
NEEDED = {
    DecisionKind.MERGE: ("entity", "other"),
    ALIAS: ("entity", "name"),
    DecisionKind.APART: ("names",),
    DecisionKind.SPLIT: ("names", "document"),
    DecisionKind.RENAME: ("entity", "name"),
    DecisionKind.RETYPE: ("entity", "types"),
    DecisionKind.HIDE: ("entity",),
    DecisionKind.DISMISS: ("relation",),
    DecisionKind.RELATE: ("relation", "name"),
}


# --- what is asked for -----------------------------------------------------------------------------------
class ListQuery(serializers.Serializer[Any]):
    q = serializers.CharField(required=False, max_length=200, help_text="Words, or parts of words.")
    document = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Told by any of these documents."
    )
    min_mentions = serializers.IntegerField(required=False, min_value=0)


class EntityQuery(ListQuery):
    type = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Of any of these types."
    )
    hidden = serializers.BooleanField(default=False, help_text="Those that are left out of the graph.")
    order = serializers.ChoiceField(list(ENTITY_ORDERS), default="mentions")


class RelationQuery(ListQuery):
    entity = serializers.IntegerField(required=False, help_text="At either end.")
    order = serializers.ChoiceField(list(RELATION_ORDERS), default="strength")


# --- entities and relations ------------------------------------------------------------------------------
class EntitySerializer(serializers.ModelSerializer[Entity]):
    mentions = serializers.IntegerField(source="mention_count")
    documents = serializers.IntegerField(source="document_count", help_text="How many name it.")

    class Meta:
        model = Entity
        fields = ("id", "datasource", "name", "types", "description", "mentions", "documents", "hidden")
        read_only_fields = fields


class NameSerializer(serializers.ModelSerializer[EntityName]):
    class Meta:
        model = EntityName
        fields = ("id", "name", "types", "count", "entity")
        read_only_fields = fields


class EndSerializer(serializers.ModelSerializer[Entity]):
    class Meta:
        model = Entity
        fields = ("id", "name", "types")
        read_only_fields = fields


class RelationSerializer(serializers.ModelSerializer[Relation]):
    source = EndSerializer()  # type: ignore[assignment]
    target = EndSerializer()
    type = serializers.CharField(help_text="The first of its keywords; empty where it has none.")
    mentions = serializers.IntegerField(source="mention_count")

    class Meta:
        model = Relation
        fields = (
            "id",
            "datasource",
            "source",
            "target",
            "type",
            "description",
            "keywords",
            "strength",
            "mentions",
        )
        read_only_fields = fields


# --- where they are told ---------------------------------------------------------------------------------
class TellingDocumentSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    title = serializers.CharField()


class EvidenceSerializer(serializers.Serializer[Any]):
    """Where a chunk tells of it. `start` and `end` count the chunk's characters."""

    id = serializers.IntegerField()
    document = TellingDocumentSerializer()
    page = serializers.IntegerField()
    read_elsewhere = ReadElsewhereField()
    chunk = serializers.IntegerField(source="chunk_id")
    quote = serializers.SerializerMethodField(help_text="The document's own words: the whole statement.")
    start = serializers.IntegerField(source="said_start", help_text="Of the quote, in the chunk.")
    end = serializers.IntegerField(source="said_end")
    description = serializers.CharField(help_text="What a model says of it; empty where the quote says it.")
    extractor = serializers.CharField()

    def get_quote(self, mention: Mention) -> str:
        return mention.chunk.text[mention.said_start : mention.said_end]


class MentionSerializer(EvidenceSerializer):
    words = serializers.SerializerMethodField(help_text="The name as it is written there.")
    words_start = serializers.IntegerField(source="start", help_text="Of the name, in the chunk.")
    words_end = serializers.IntegerField(source="end")
    defines = serializers.BooleanField(help_text="The chunk is about it.")

    def get_words(self, mention: EntityMention) -> str:
        return mention.chunk.text[mention.start : mention.end]


class RelationEvidenceSerializer(EvidenceSerializer):
    keywords = serializers.ListField(child=serializers.CharField())
    strength = serializers.FloatField()


class RelationDetailSerializer(RelationSerializer):
    evidence = serializers.SerializerMethodField(help_text=f"The first {INLINE}; `…/evidence` has all.")

    class Meta(RelationSerializer.Meta):
        fields = (*RelationSerializer.Meta.fields, "evidence")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]

    @extend_schema_field(RelationEvidenceSerializer(many=True))
    def get_evidence(self, relation: Relation) -> Any:
        return RelationEvidenceSerializer(evidence_of(relation)[:INLINE], many=True).data


# --- decisions -------------------------------------------------------------------------------------------
class DecisionSerializer(serializers.ModelSerializer[Decision]):
    decided_by = serializers.SerializerMethodField(
        help_text="A person's name; null when the account is gone."
    )

    class Meta:
        model = Decision
        fields = (
            "id",
            "kind",
            "key",
            "sense",
            "other_key",
            "other_sense",
            "document",
            "name",
            "types",
            "decided_by",
            "decided",
        )
        read_only_fields = fields

    def get_decided_by(self, decision: Decision) -> str | None:
        return decision.decided_by.get_full_name() if decision.decided_by else None


class EntityDetailSerializer(EntitySerializer):
    names = NameSerializer(many=True, help_text="All its names, including aliases.")
    relations = serializers.SerializerMethodField(help_text=f"The {INLINE} strongest.")
    told = serializers.SerializerMethodField(help_text=f"The first {INLINE}; `…/mentions` has all.")
    decisions = serializers.SerializerMethodField(help_text="What people decided about it.")

    class Meta(EntitySerializer.Meta):
        fields = (*EntitySerializer.Meta.fields, "names", "relations", "told", "decisions")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]

    @extend_schema_field(RelationSerializer(many=True))
    def get_relations(self, entity: Entity) -> Any:
        return RelationSerializer(relations_of(entity.datasource, entity=entity.pk)[:INLINE], many=True).data

    @extend_schema_field(MentionSerializer(many=True))
    def get_told(self, entity: Entity) -> Any:
        return MentionSerializer(mentions_of(entity)[:INLINE], many=True).data

    @extend_schema_field(DecisionSerializer(many=True))
    def get_decisions(self, entity: Entity) -> Any:
        return DecisionSerializer(list(decisions_about(entity)), many=True).data


class NewDecisionSerializer(KnownFields[Any]):
    """`merge`: entity, other. `alias`: entity, name. `apart`: names, two of them, or one that parts from the
    other names of its entity. `split`: names (one), document. `rename`: entity, name. `retype`: entity,
    types. `hide`: entity. `dismiss`: relation. `relate`: relation, name.
    """

    kind = serializers.ChoiceField([str(kind) for kind in NEEDED])
    entity = serializers.IntegerField(required=False)
    relation = serializers.IntegerField(required=False)
    other = serializers.IntegerField(required=False, help_text="Another entity, which is the same thing.")
    names = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        min_length=1,
        max_length=2,
        help_text="Numbers of names, as an entity lists them.",
    )
    document = serializers.IntegerField(required=False, help_text="Where the name means another thing.")
    name = serializers.CharField(required=False, max_length=300)
    types = serializers.ListField(child=serializers.CharField(max_length=40), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        missing = [field for field in NEEDED[attrs["kind"]] if field not in attrs]
        if missing:
            raise serializers.ValidationError({missing[0]: f"“{attrs['kind']}” needs it."})
        return attrs


class DecidedSerializer(serializers.Serializer[Any]):
    decision = DecisionSerializer()
    entity = EntitySerializer(allow_null=True, help_text="As it is now; null while no document names it.")


class CandidateSerializer(serializers.ModelSerializer[MergeCandidate]):
    a = NameSerializer()
    b = NameSerializer()

    class Meta:
        model = MergeCandidate
        fields = ("id", "a", "b", "score")
        read_only_fields = fields


class VerdictSerializer(KnownFields[Any]):
    same = serializers.BooleanField(help_text="Whether both names mean one thing.")
