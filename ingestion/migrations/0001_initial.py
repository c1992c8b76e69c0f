import django.db.models.deletion
import pgvector.django.halfvec
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import migrations, models
from pgvector.django import SparseVectorField, VectorExtension

# In how many chunks or documents each term is. The lock lets writers of one datasource in one after the other:
# they share most terms, and would wait for each other in a circle.
COUNT_TERMS = """
CREATE FUNCTION ingestion_lock_terms(datasource bigint) RETURNS void LANGUAGE sql AS
$$ SELECT pg_advisory_xact_lock(29797, (datasource % 2147483648)::int) $$;

CREATE FUNCTION ingestion_terms_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ingestion_lock_terms(datasource_id)
    FROM (SELECT DISTINCT datasource_id FROM changed ORDER BY datasource_id) AS written;
    INSERT INTO ingestion_termcount AS kept (datasource_id, term, count)
    SELECT datasource_id, term, count(*) FROM changed, unnest(terms) AS term GROUP BY datasource_id, term
    ON CONFLICT (datasource_id, term) DO UPDATE SET count = kept.count + excluded.count;
    RETURN NULL;
END $$;

CREATE FUNCTION ingestion_terms_went() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ingestion_lock_terms(datasource_id)
    FROM (SELECT DISTINCT datasource_id FROM changed ORDER BY datasource_id) AS written;
    WITH gone AS (
        SELECT datasource_id, term, count(*) AS count
        FROM changed, unnest(terms) AS term GROUP BY datasource_id, term
    )
    UPDATE ingestion_termcount AS kept SET count = kept.count - gone.count
    FROM gone WHERE kept.datasource_id = gone.datasource_id AND kept.term = gone.term;
    WITH unused AS (
        DELETE FROM ingestion_termcount AS kept
        USING (SELECT DISTINCT datasource_id, term FROM changed, unnest(terms) AS term) AS gone
        WHERE kept.datasource_id = gone.datasource_id AND kept.term = gone.term AND kept.count <= 0
        RETURNING kept.datasource_id, kept.term
    )
    DELETE FROM ingestion_word AS word USING unused
    WHERE word.datasource_id = unused.datasource_id AND word.term = unused.term;
    RETURN NULL;
END $$;
"""
COUNTED = ("ingestion_chunkterms", "ingestion_documentterms")
TRIGGERS = [
    f"CREATE TRIGGER terms_{act} AFTER {event} ON {table} REFERENCING {rows} TABLE AS changed "
    f"FOR EACH STATEMENT EXECUTE FUNCTION ingestion_terms_{act}()"
    for table in COUNTED
    for act, event, rows in (("came", "INSERT", "NEW"), ("went", "DELETE", "OLD"))
]


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
                (
                    "section",
                    models.CharField(blank=True, help_text="The headings over it.", max_length=300),
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
                    "pictured",
                    models.BooleanField(
                        default=False, help_text="A picture that may have print is beside its text."
                    ),
                ),
                (
                    "address",
                    models.CharField(
                        blank=True,
                        help_text="What it is called in the file: “Slide 7”, headings over it.",
                        max_length=300,
                    ),
                ),
                (
                    "suspect",
                    models.BooleanField(default=False, help_text="Its text may be other than what it shows."),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("text", "The file's own text"),
                            ("ocr", "Read by OCR"),
                            ("both", "The file's own text, then that of its pictures, read by OCR"),
                        ],
                        default="text",
                        max_length=4,
                    ),
                ),
                (
                    "ocr",
                    models.CharField(
                        blank=True,
                        choices=[("done", "It has seen the page"), ("failed", "It failed at the page")],
                        help_text="How OCR of it ended; empty: not tried.",
                        max_length=6,
                    ),
                ),
                (
                    "certainty",
                    models.BinaryField(
                        default=b"",
                        help_text="zlib of uint8 (len(text)): how sure OCR was of each character, in percent.",
                    ),
                ),
                ("confidence", models.FloatField(help_text="The mean of that, 0 to 1.", null=True)),
                (
                    "quarter_turns",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Quarters clockwise that put the page upright; it is shown so.",
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
                    "layout",
                    models.JSONField(
                        default=dict, help_text="What the file says of lines, see formats.base.layout."
                    ),
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
            name="Section",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="From 1, in reading order.")),
                ("level", models.PositiveSmallIntegerField(help_text="From 1, the outermost.")),
                ("name", models.CharField(max_length=120)),
                (
                    "path",
                    models.CharField(
                        blank=True, help_text="The headings over it, and itself.", max_length=300
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                (
                    "end",
                    models.PositiveIntegerField(help_text="Where the next one begins that is not within it."),
                ),
                ("page", models.PositiveIntegerField(help_text="On which it begins, from 1.")),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sections",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=["document", "number"], name="one_section_per_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("page", models.PositiveIntegerField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                (
                    "heads",
                    models.JSONField(
                        default=list, help_text="The name of each column; the first holds rows' names."
                    ),
                ),
                (
                    "heads_at",
                    ArrayField(
                        models.IntegerField(),
                        default=list,
                        help_text="Start and end of each line of heads, one after the other.",
                    ),
                ),
                ("caption", models.CharField(blank=True, max_length=200)),
                ("unit", models.CharField(blank=True, max_length=200)),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document", "start"],
                "indexes": [models.Index(fields=["document", "start"], name="table_place")],
            },
        ),
        migrations.CreateModel(
            name="TableRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("head", "Head"), ("group", "Group"), ("data", "Data")], max_length=5
                    ),
                ),
                (
                    "group",
                    models.CharField(
                        blank=True, help_text="The name of the rows that it is among.", max_length=200
                    ),
                ),
                (
                    "cells",
                    ArrayField(
                        models.IntegerField(),
                        help_text="Of each cell: start, end, first and last column; one after the other.",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.document",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table_rows",
                        to="ingestion.table",
                    ),
                ),
            ],
            options={
                "ordering": ["document", "start"],
                "indexes": [models.Index(fields=["document", "start"], name="table_row_place")],
            },
        ),
        migrations.CreateModel(
            name="VectorSpace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("error_code", models.CharField(blank=True, max_length=40)),
                ("error_message", models.CharField(blank=True, max_length=500)),
                ("error_hint", models.CharField(blank=True, max_length=500)),
                ("error_detail", models.TextField(blank=True, help_text="For administrators alone.")),
                ("attempts", models.PositiveIntegerField(default=0)),
                (
                    "unended",
                    models.PositiveIntegerField(
                        default=0,
                        editable=False,
                        help_text="Runs in a row that came to no end: their worker died.",
                    ),
                ),
                ("run_token", models.UUIDField(editable=False, null=True)),
                ("job_id", models.BigIntegerField(editable=False, null=True)),
                ("model", models.CharField(max_length=200)),
                ("dimensions", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("filling", "Being filled"),
                            ("current", "Searched"),
                            ("kept", "Kept to go back"),
                            ("stopped", "Stopped"),
                            ("failed", "Failed"),
                        ],
                        max_length=12,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("changed", models.DateTimeField(auto_now_add=True, help_text="When it got its status.")),
                (
                    "declined",
                    models.BooleanField(default=False, help_text="A person has gone back from this model."),
                ),
                (
                    "indexed",
                    models.BooleanField(default=False, help_text="Whether searches may use its index."),
                ),
                (
                    "recall",
                    models.FloatField(
                        help_text="The share of the nearest 10 that the index finds.", null=True
                    ),
                ),
                ("recall_tested", models.DateTimeField(null=True)),
                ("recall_queries", models.PositiveIntegerField(default=0)),
                (
                    "short_answers",
                    models.PositiveIntegerField(default=0, help_text="Queries that got too few passages."),
                ),
                ("exact_ms", models.FloatField(help_text="Median of the exact scans.", null=True)),
                ("index_ms", models.FloatField(help_text="Median with the index.", null=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vector_spaces",
                        to="datasources.datasource",
                    ),
                ),
            ],
            options={
                "ordering": ["datasource", "-changed"],
            },
        ),
        migrations.CreateModel(
            name="ChunkEmbedding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "chunk_id", "space_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                (
                    "chunk",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="ingestion.chunk",
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
        migrations.CreateModel(
            name="TermCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "datasource_id", "term", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("term", models.IntegerField()),
                ("count", models.IntegerField()),
                (
                    "datasource",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ChunkTerms",
            fields=[
                ("terms", ArrayField(base_field=models.IntegerField(), size=None)),
                ("weights", SparseVectorField()),
                (
                    "chunk",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_terms",
                        serialize=False,
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
            ],
            options={
                "verbose_name_plural": "chunk terms",
                "indexes": [GinIndex(fastupdate=False, fields=["terms"], name="chunk_terms")],
            },
        ),
        migrations.CreateModel(
            name="DocumentTerms",
            fields=[
                ("terms", ArrayField(base_field=models.IntegerField(), size=None)),
                ("weights", SparseVectorField()),
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_terms",
                        serialize=False,
                        to="datasources.document",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True, help_text="ISO 639-1; empty when nothing tells.", max_length=2
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
                "verbose_name_plural": "document terms",
                "indexes": [GinIndex(fastupdate=False, fields=["terms"], name="document_terms")],
            },
        ),
        migrations.CreateModel(
            name="Word",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("word", models.CharField(max_length=60)),
                ("term", models.IntegerField(help_text="Of its stem.")),
                (
                    "datasource",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="datasources.datasource",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["datasource", "term"], name="word_of_term")],
                "constraints": [
                    models.UniqueConstraint(fields=("datasource", "word", "term"), name="one_word_per_term")
                ],
            },
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField(help_text="From 1, in the order of the mail.")),
                ("filename", models.CharField(max_length=300)),
                ("size", models.PositiveBigIntegerField(help_text="Bytes.")),
                (
                    "refusal",
                    models.CharField(blank=True, help_text="Why no document was made of it.", max_length=500),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="attached_to",
                        to="datasources.document",
                    ),
                ),
                (
                    "mail",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attachments",
                        to="datasources.document",
                    ),
                ),
            ],
            options={
                "ordering": ["mail", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("mail", "position"), name="one_attachment_per_position")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="vectorspace",
            constraint=models.UniqueConstraint(
                fields=("datasource", "model", "dimensions"), name="one_space_per_model"
            ),
        ),
        migrations.AddConstraint(
            model_name="vectorspace",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "current")), fields=("datasource",), name="one_current_space"
            ),
        ),
        # Keeps vectors up to 4,000 dimensions inside the row: an exact scan is twice as quick that way.
        migrations.RunSQL(
            "ALTER TABLE ingestion_chunkembedding SET (toast_tuple_target = 8160);"
            "ALTER TABLE ingestion_chunkterms SET (toast_tuple_target = 8160);"
            # Statistics of vectors say nothing, and take longest to make.
            "ALTER TABLE ingestion_chunkembedding ALTER COLUMN vector SET STATISTICS 0;"
            "ALTER TABLE ingestion_chunkterms ALTER COLUMN weights SET STATISTICS 0",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL([COUNT_TERMS, *TRIGGERS], migrations.RunSQL.noop),
    ]
