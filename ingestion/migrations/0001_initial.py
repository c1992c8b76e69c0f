import django.db.models.deletion
import pgvector.django.halfvec
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import migrations, models
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("datasources", "0001_initial"),
    ]

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("index", models.PositiveIntegerField(help_text="From 0, in reading order.")),
                ("text", models.TextField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("first_page", models.PositiveIntegerField()),
                ("last_page", models.PositiveIntegerField()),
                ("token_count", models.PositiveIntegerField(default=0)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("heading", "Heading"),
                            ("prose", "Prose"),
                            ("clause", "Clause"),
                            ("list", "List"),
                            ("table", "Table"),
                            ("boilerplate", "Boilerplate"),
                        ],
                        default="prose",
                        max_length=12,
                    ),
                ),
                ("quality", models.FloatField(default=0, help_text="0 to 1, see ingestion.chunk_quality.")),
                ("left_out", models.BooleanField(default=False, help_text="Not offered by any search.")),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document", "index"],
            },
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="From 1.")),
                ("text", models.TextField(blank=True)),
                (
                    "readable",
                    models.BooleanField(default=True, help_text="False: the reader stopped at this page."),
                ),
                (
                    "picture",
                    models.BooleanField(
                        default=False, help_text="Mostly a picture, whose print was not read."
                    ),
                ),
                (
                    "start",
                    models.PositiveIntegerField(
                        default=0, help_text="Characters before this page in the document."
                    ),
                ),
                ("width", models.FloatField(default=0, help_text="Points.")),
                ("height", models.FloatField(default=0, help_text="Points.")),
                (
                    "boxes",
                    models.BinaryField(default=b"", help_text="zlib of uint16 (len(text), 4), see formats."),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document", "number"],
            },
        ),
        migrations.CreateModel(
            name="ChunkEmbedding",
            fields=[
                (
                    "chunk",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="embedding",
                        serialize=False,
                        to="ingestion.chunk",
                    ),
                ),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
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
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(
                condition=models.Q(("left_out", True)), fields=["datasource"], name="chunk_left_out"
            ),
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=GinIndex(SearchVector("text", config="simple"), name="chunk_words"),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.UniqueConstraint(fields=("document", "index"), name="one_chunk_per_index"),
        ),
        migrations.AddConstraint(
            model_name="page",
            constraint=models.UniqueConstraint(fields=("document", "number"), name="one_page_per_number"),
        ),
        # Keeps vectors up to 4,000 dimensions inside the row: an exact scan is twice as quick that way.
        migrations.RunSQL(
            "ALTER TABLE ingestion_chunkembedding SET (toast_tuple_target = 8160)", migrations.RunSQL.noop
        ),
    ]
