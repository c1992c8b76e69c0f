"""The graph's rows. Mentions are the evidence; names, entities, relations and vectors are folds over them."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from datasources.models import Datasource, Document
from ingestion.models import VectorSpace


class Entity(models.Model):
    """One thing: all names that were found to mean it. `key` and `sense` are those of its first name."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="entities")
    key = models.CharField(max_length=200)
    sense = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=300)
    types = ArrayField(models.CharField(max_length=40), default=list)
    description = models.TextField(blank=True)
    mention_count = models.PositiveIntegerField(default=0)
    document_count = models.PositiveIntegerField(default=0)
    hidden = models.BooleanField(default=False)
    passages = ArrayField(
        models.BigIntegerField(), default=list, db_default=[], help_text="Chunks that say most about it."
    )
    sources = ArrayField(
        models.BigIntegerField(),
        default=list,
        db_default=[],
        help_text="Of a frequent one the chunks that description and passages are taken from.",
    )
    vector_due = models.BooleanField(default=True, help_text="Name or passages are newer than its vector.")

    class Meta:
        verbose_name_plural = "entities"
        ordering = ["-mention_count", "key"]
        constraints = [
            models.UniqueConstraint(fields=["datasource", "key", "sense"], name="one_entity_per_key")
        ]
        indexes = [
            models.Index(fields=["datasource", "id"], condition=Q(vector_due=True), name="entity_vector_due"),
            GinIndex(SearchVector("name", config="simple"), name="entity_words"),
        ]

    def __str__(self) -> str:
        return self.name


class EntityName(models.Model):
    """A name as a datasource knows it: one key in one sense. Names are what is merged and kept apart."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200, help_text="See graph.values.names.key.")
    sense = models.CharField(max_length=40, blank=True, help_text="Parts homonyms; empty for most names.")
    name = models.CharField(max_length=300)
    types = ArrayField(models.CharField(max_length=40), default=list)
    count = models.PositiveIntegerField(default=0)
    entity = models.ForeignKey(Entity, models.SET_NULL, null=True, related_name="names")
    spellings = models.JSONField(null=True, help_text="How a frequent one is written: see frequent_names.")
    by_context = models.BooleanField(
        default=False, db_default=False, help_text="Compared by what is said of it too, so again with that."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["datasource", "key", "sense"], name="one_name_per_key")
        ]
        indexes = [GinIndex(SearchVector("name", config="simple"), name="name_words")]

    def __str__(self) -> str:
        return self.name


class NameBlock(models.Model):
    """A signature of a name, hashed with its datasource: names that look alike share one."""

    block = models.BigIntegerField(db_index=True)
    name = models.ForeignKey(EntityName, models.CASCADE, related_name="blocks")
    sure = models.BooleanField(help_text="Nearly the whole name, so never shared by many.")

    def __str__(self) -> str:
        return f"{self.block:x}"


class Mention(models.Model):
    """What both kinds of mention have: where the words stand, and who found them.

    `description` is what a model wrote; empty when the words from `start` to `end` of the statement say it.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    chunk = models.ForeignKey("ingestion.Chunk", models.CASCADE, related_name="%(class)ss")
    description = models.TextField(blank=True)
    said_start = models.PositiveIntegerField(help_text="The statement's span in the chunk.")
    said_end = models.PositiveIntegerField()
    position = models.PositiveIntegerField(help_text="In the document: overlapping chunks repeat a mention.")
    extractor = models.CharField(max_length=80)
    live = models.BooleanField(default=False, help_text="Counts: its document has been read to the end.")

    class Meta:
        abstract = True

    @property
    def said(self) -> str:
        """The statement: a model's words, else the document's own."""
        return self.description or " ".join(self.chunk.text[self.said_start : self.said_end].split())


class EntityMention(Mention):
    """A chunk names a thing, in the words chunk.text[start:end]."""

    name = models.CharField(max_length=300, help_text="In full, when the words are a short form.")
    key = models.CharField(max_length=200)
    types = ArrayField(models.CharField(max_length=40), default=list)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    defines = models.BooleanField(default=False, help_text="The chunk is about it.")
    family = models.CharField(max_length=8, blank=True, help_text="What its types say, see resolve.family.")
    sense = models.CharField(max_length=40, blank=True)
    traits = ArrayField(
        models.CharField(max_length=40), default=list, db_default=[], help_text="See context.traits."
    )
    named = models.ForeignKey(EntityName, models.SET_NULL, null=True, related_name="mentions")

    class Meta:
        indexes = [models.Index(fields=["datasource", "key"], name="mention_key")]

    def __str__(self) -> str:
        return self.name


class RelationMention(Mention):
    """A chunk says something about two things."""

    source_key = models.CharField(max_length=200)
    target_key = models.CharField(max_length=200)
    keywords = ArrayField(models.CharField(max_length=60), default=list)
    strength = models.FloatField(default=1.0)
    source = models.ForeignKey(EntityName, models.SET_NULL, null=True, related_name="+")
    target = models.ForeignKey(EntityName, models.SET_NULL, null=True, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["source", "target"], name="mention_pair")]

    def __str__(self) -> str:
        return f"{self.source_key} => {self.target_key}"


class Relation(models.Model):
    """All that is said about two things, in one direction."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="relations")
    source = models.ForeignKey(Entity, models.CASCADE, related_name="relations_out")
    target = models.ForeignKey(Entity, models.CASCADE, related_name="relations_in")
    description = models.TextField(blank=True)
    keywords = ArrayField(models.CharField(max_length=60), default=list)
    strength = models.FloatField(default=0, help_text="Independent mentions add up.")
    mention_count = models.PositiveIntegerField(default=0)
    quoted = models.BooleanField(default=True, help_text="The description is a sentence that names both.")
    passages = ArrayField(
        models.BigIntegerField(), default=list, db_default=[], help_text="Chunks that say it best."
    )
    vector_due = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "target"], name="one_relation_per_pair")]
        indexes = [
            models.Index(
                fields=["datasource", "id"], condition=Q(vector_due=True), name="relation_vector_due"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} => {self.target}"

    @property
    def type(self) -> str:
        """The first of its keywords; empty where it has none."""
        return self.keywords[0] if self.keywords else ""


class NameEmbedding(models.Model):
    """The vector of an entity's name, of length graph.aggregate.vectors.NAME; a new name gets a new one."""

    pk = models.CompositePrimaryKey("entity_id", "space_id")
    entity = models.ForeignKey(Entity, models.CASCADE, db_index=False, related_name="name_embeddings")
    space = models.ForeignKey(VectorSpace, models.CASCADE, related_name="+")
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"vector of the name of {self.entity_id}"


class EntityEmbedding(models.Model):
    """The unit vector of name and passages; narrow, as ChunkEmbedding is."""

    pk = models.CompositePrimaryKey("entity_id", "space_id")
    entity = models.ForeignKey(Entity, models.CASCADE, db_index=False, related_name="embeddings")
    space = models.ForeignKey(VectorSpace, models.CASCADE, related_name="+")
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"vector of {self.entity_id}"


class EntityPosition(models.Model):
    """Where the entity stands in the drawing of its graph, see graph.layout.drawing.

    The database itself deletes it with its entity, for entities are deleted by plain SQL.
    """

    entity = models.OneToOneField(
        Entity, models.CASCADE, primary_key=True, related_name="position", db_constraint=False
    )
    x = models.FloatField()
    y = models.FloatField()

    def __str__(self) -> str:
        return f"position of {self.entity_id}"


class RelationEmbedding(models.Model):
    """The unit vector of both names and the passages."""

    pk = models.CompositePrimaryKey("relation_id", "space_id")
    relation = models.ForeignKey(Relation, models.CASCADE, db_index=False, related_name="embeddings")
    space = models.ForeignKey(VectorSpace, models.CASCADE, related_name="+")
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"vector of {self.relation_id}"
