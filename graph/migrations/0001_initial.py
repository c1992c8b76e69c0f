import django.contrib.postgres.fields
import django.db.models.deletion
import pgvector.django.halfvec
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import migrations, models

# Entities are deleted by plain SQL, so their positions have to go by themselves.
ADD = """
ALTER TABLE graph_entityposition ADD CONSTRAINT position_of_entity
FOREIGN KEY (entity_id) REFERENCES graph_entity (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
"""
DROP = "ALTER TABLE graph_entityposition DROP CONSTRAINT position_of_entity"


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("datasources", "0001_initial"),
        ("ingestion", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Entity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("sense", models.CharField(blank=True, max_length=40)),
                ("name", models.CharField(max_length=300)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), default=list, size=None
                    ),
                ),
                ("description", models.TextField(blank=True)),
                ("mention_count", models.PositiveIntegerField(default=0)),
                ("document_count", models.PositiveIntegerField(default=0)),
                ("hidden", models.BooleanField(default=False)),
                (
                    "passages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        db_default=[],
                        default=list,
                        help_text="Chunks that say most about it.",
                        size=None,
                    ),
                ),
                (
                    "sources",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        db_default=[],
                        default=list,
                        help_text="Of a frequent one the chunks that description and passages are taken from.",
                        size=None,
                    ),
                ),
                (
                    "vector_due",
                    models.BooleanField(
                        default=True, help_text="Name or passages are newer than its vector."
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entities",
                        to="datasources.datasource",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entities",
                "ordering": ["-mention_count", "key"],
            },
        ),
        migrations.CreateModel(
            name="Relation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("description", models.TextField(blank=True)),
                (
                    "keywords",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), default=list, size=None
                    ),
                ),
                ("strength", models.FloatField(default=0, help_text="Independent mentions add up.")),
                ("mention_count", models.PositiveIntegerField(default=0)),
                (
                    "quoted",
                    models.BooleanField(
                        default=True, help_text="The description is a sentence that names both."
                    ),
                ),
                (
                    "passages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        db_default=[],
                        default=list,
                        help_text="Chunks that say it best.",
                        size=None,
                    ),
                ),
                ("vector_due", models.BooleanField(default=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations_out",
                        to="graph.entity",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations_in",
                        to="graph.entity",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CachedExtraction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content", models.CharField(help_text="SHA-256 of the text.", max_length=64)),
                ("prompt", models.CharField(help_text="SHA-256 of prompt and schema.", max_length=64)),
                ("model", models.CharField(max_length=200)),
                ("answer", models.JSONField(help_text="See graph.extraction.llm.schema.ModelAnswer.")),
                ("prompt_tokens", models.PositiveIntegerField(default=0)),
                ("completion_tokens", models.PositiveIntegerField(default=0)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("content", "prompt", "model"), name="one_answer_per_question"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DocumentNode",
            fields=[
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="node",
                        serialize=False,
                        to="datasources.document",
                    ),
                ),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                ("x", models.FloatField(null=True)),
                ("y", models.FloatField(null=True)),
                (
                    "group",
                    models.CharField(
                        blank=True, help_text="Named from content; empty for loners.", max_length=80
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
            ],
            options={
                "ordering": ["document"],
            },
        ),
        migrations.CreateModel(
            name="EntityPosition",
            fields=[
                (
                    "entity",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="position",
                        serialize=False,
                        to="graph.entity",
                    ),
                ),
                ("x", models.FloatField()),
                ("y", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="EntityName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(help_text="See graph.values.names.key.", max_length=200)),
                (
                    "sense",
                    models.CharField(
                        blank=True, help_text="Parts homonyms; empty for most names.", max_length=40
                    ),
                ),
                ("name", models.CharField(max_length=300)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), default=list, size=None
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                (
                    "spellings",
                    models.JSONField(
                        help_text="How a frequent one is written: see frequent_names.", null=True
                    ),
                ),
                (
                    "by_context",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Compared by what is said of it too, so again with that.",
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="names",
                        to="graph.entity",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EntityMention",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("description", models.TextField(blank=True)),
                ("said_start", models.PositiveIntegerField(help_text="The statement's span in the chunk.")),
                ("said_end", models.PositiveIntegerField()),
                (
                    "position",
                    models.PositiveIntegerField(
                        help_text="In the document: overlapping chunks repeat a mention."
                    ),
                ),
                ("extractor", models.CharField(max_length=80)),
                (
                    "live",
                    models.BooleanField(
                        default=False, help_text="Counts: its document has been read to the end."
                    ),
                ),
                (
                    "name",
                    models.CharField(help_text="In full, when the words are a short form.", max_length=300),
                ),
                ("key", models.CharField(max_length=200)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), default=list, size=None
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("defines", models.BooleanField(default=False, help_text="The chunk is about it.")),
                (
                    "family",
                    models.CharField(
                        blank=True, help_text="What its types say, see resolve.family.", max_length=8
                    ),
                ),
                ("sense", models.CharField(blank=True, max_length=40)),
                (
                    "traits",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        db_default=[],
                        default=list,
                        help_text="See context.traits.",
                        size=None,
                    ),
                ),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="ingestion.chunk",
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.document",
                    ),
                ),
                (
                    "named",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="mentions",
                        to="graph.entityname",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ExtractionSpend",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                ("calls", models.PositiveIntegerField(default=0)),
                (
                    "cached_calls",
                    models.PositiveIntegerField(default=0, help_text="Saved by answers that were there."),
                ),
                ("prompt_tokens", models.PositiveBigIntegerField(default=0)),
                ("completion_tokens", models.PositiveBigIntegerField(default=0)),
                (
                    "money",
                    models.DecimalField(
                        decimal_places=6,
                        default=0,
                        help_text="At the prices of the time; 0 while unknown.",
                        max_digits=14,
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extraction_spends",
                        to="datasources.datasource",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MergeCandidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("score", models.FloatField()),
                (
                    "a",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="graph.entityname"
                    ),
                ),
                (
                    "b",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="graph.entityname"
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merge_candidates",
                        to="datasources.datasource",
                    ),
                ),
            ],
            options={
                "ordering": ["-score", "pk"],
            },
        ),
        migrations.CreateModel(
            name="NameBlock",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("block", models.BigIntegerField(db_index=True)),
                ("sure", models.BooleanField(help_text="Nearly the whole name, so never shared by many.")),
                (
                    "name",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to="graph.entityname",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PairVerdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("sense", models.CharField(blank=True, max_length=40)),
                ("other_key", models.CharField(max_length=200)),
                ("other_sense", models.CharField(blank=True, max_length=40)),
                (
                    "content",
                    models.CharField(
                        help_text="SHA-256 of the prompt and of what it saw of them.", max_length=64
                    ),
                ),
                (
                    "documents",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        help_text="Those that it saw quotes of.",
                        size=None,
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("same", "The same thing"),
                            ("different", "Two different things"),
                            ("unsure", "Can't be told"),
                        ],
                        max_length=9,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RelationEmbedding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "relation_id",
                        "space_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                (
                    "relation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="graph.relation",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ingestion.vectorspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RelationMention",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("description", models.TextField(blank=True)),
                ("said_start", models.PositiveIntegerField(help_text="The statement's span in the chunk.")),
                ("said_end", models.PositiveIntegerField()),
                (
                    "position",
                    models.PositiveIntegerField(
                        help_text="In the document: overlapping chunks repeat a mention."
                    ),
                ),
                ("extractor", models.CharField(max_length=80)),
                (
                    "live",
                    models.BooleanField(
                        default=False, help_text="Counts: its document has been read to the end."
                    ),
                ),
                ("source_key", models.CharField(max_length=200)),
                ("target_key", models.CharField(max_length=200)),
                (
                    "keywords",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), default=list, size=None
                    ),
                ),
                ("strength", models.FloatField(default=1.0)),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="ingestion.chunk",
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.document",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="graph.entityname",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="graph.entityname",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ChunkExtraction",
            fields=[
                (
                    "chunk",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="extraction",
                        serialize=False,
                        to="ingestion.chunk",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("done", "Read"),
                            ("waiting", "Waits for budget or for a retry"),
                            ("failed", "Failed"),
                        ],
                        max_length=8,
                    ),
                ),
                ("error", models.CharField(blank=True, max_length=500)),
                (
                    "keywords",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60),
                        default=list,
                        help_text="What the chunk is about.",
                        size=None,
                    ),
                ),
                (
                    "cached",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="chunks",
                        to="graph.cachedextraction",
                    ),
                ),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extractions",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["datasource", "state"], name="extraction_state")],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("merge", "The same thing"),
                            ("apart", "Two different things"),
                            ("split", "Another thing in this document"),
                            ("rename", "Goes by this name"),
                            ("retype", "Is of these types"),
                            ("hide", "Is left out"),
                        ],
                        max_length=8,
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("sense", models.CharField(blank=True, max_length=40)),
                ("other_key", models.CharField(blank=True, max_length=200)),
                ("other_sense", models.CharField(blank=True, max_length=40)),
                ("name", models.CharField(blank=True, max_length=300)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), blank=True, default=list, size=None
                    ),
                ),
                ("decided", models.DateTimeField(auto_now_add=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="graph_decisions",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["datasource", "key"], name="decision_key"),
                    models.Index(fields=["datasource", "other_key"], name="decision_other_key"),
                ],
            },
        ),
        migrations.CreateModel(
            name="EntityEmbedding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "entity_id", "space_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                (
                    "entity",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="graph.entity",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ingestion.vectorspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NameEmbedding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "entity_id", "space_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                (
                    "entity",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="name_embeddings",
                        to="graph.entity",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ingestion.vectorspace",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="entity",
            index=models.Index(
                condition=models.Q(("vector_due", True)),
                fields=["datasource", "id"],
                name="entity_vector_due",
            ),
        ),
        migrations.AddIndex(
            model_name="entity", index=GinIndex(SearchVector("name", config="simple"), name="entity_words")
        ),
        migrations.AddIndex(
            model_name="entityname", index=GinIndex(SearchVector("name", config="simple"), name="name_words")
        ),
        migrations.AddConstraint(
            model_name="entity",
            constraint=models.UniqueConstraint(
                fields=("datasource", "key", "sense"), name="one_entity_per_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="entityname",
            constraint=models.UniqueConstraint(
                fields=("datasource", "key", "sense"), name="one_name_per_key"
            ),
        ),
        migrations.AddIndex(
            model_name="entitymention",
            index=models.Index(fields=["datasource", "key"], name="mention_key"),
        ),
        migrations.AddConstraint(
            model_name="extractionspend",
            constraint=models.UniqueConstraint(fields=("datasource", "model"), name="one_spend_per_model"),
        ),
        migrations.AddConstraint(
            model_name="mergecandidate",
            constraint=models.UniqueConstraint(fields=("a", "b"), name="one_candidate_per_pair"),
        ),
        migrations.AddIndex(
            model_name="pairverdict",
            index=models.Index(fields=["datasource", "key"], name="verdict_key"),
        ),
        migrations.AddIndex(
            model_name="pairverdict",
            index=models.Index(fields=["datasource", "other_key"], name="verdict_other_key"),
        ),
        migrations.AddConstraint(
            model_name="pairverdict",
            constraint=models.UniqueConstraint(
                fields=("datasource", "content", "model"), name="one_verdict_per_question"
            ),
        ),
        migrations.AddIndex(
            model_name="relation",
            index=models.Index(
                condition=models.Q(("vector_due", True)),
                fields=["datasource", "id"],
                name="relation_vector_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="relation",
            constraint=models.UniqueConstraint(fields=("source", "target"), name="one_relation_per_pair"),
        ),
        migrations.AddIndex(
            model_name="relationmention",
            index=models.Index(fields=["source", "target"], name="mention_pair"),
        ),
        migrations.CreateModel(
            name="GraphSettings",
            fields=[
                (
                    "datasource",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="graph_settings",
                        serialize=False,
                        to="datasources.datasource",
                    ),
                ),
                (
                    "extractor",
                    models.CharField(
                        choices=[("rules", "Rules, on this machine"), ("model", "The language model")],
                        default="rules",
                        max_length=8,
                    ),
                ),
                (
                    "ontology",
                    models.CharField(
                        choices=[
                            ("general", "General"),
                            ("research", "Research"),
                            ("contracts", "Contracts"),
                            ("compliance", "Compliance"),
                        ],
                        default="general",
                        max_length=12,
                    ),
                ),
                (
                    "entity_types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        blank=True,
                        default=list,
                        help_text="Empty: those of the ontology.",
                        size=None,
                    ),
                ),
                (
                    "relation_types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40),
                        blank=True,
                        default=list,
                        help_text="Empty: those of the ontology.",
                        size=None,
                    ),
                ),
                (
                    "token_budget",
                    models.PositiveBigIntegerField(
                        blank=True, help_text="Tokens that the graph may cost in all.", null=True
                    ),
                ),
                (
                    "money_budget",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="What the graph may cost in all.",
                        max_digits=12,
                        null=True,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "graph settings",
            },
        ),
        migrations.RunSQL(ADD, DROP),
        # As for the vectors of chunks: they stay in their rows.
        migrations.RunSQL(
            "ALTER TABLE graph_entityembedding SET (toast_tuple_target = 8160);"
            "ALTER TABLE graph_entityembedding ALTER COLUMN vector SET STATISTICS 0",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            "ALTER TABLE graph_relationembedding SET (toast_tuple_target = 8160);"
            "ALTER TABLE graph_relationembedding ALTER COLUMN vector SET STATISTICS 0",
            migrations.RunSQL.noop,
        ),
    ]
