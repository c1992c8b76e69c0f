import uuid

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models

import datasources.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Datasource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("description", models.CharField(blank=True, max_length=500)),
                (
                    "chunking",
                    models.CharField(
                        choices=[
                            ("recursive", "By size: paragraphs, else sentences, else lines"),
                            ("paragraph", "By paragraph and sentence, tables kept whole or by their parts"),
                        ],
                        default="recursive",
                        max_length=10,
                    ),
                ),
                ("chunk_size", models.PositiveIntegerField(default=1000, help_text="Characters in a chunk.")),
                (
                    "chunk_overlap",
                    models.PositiveIntegerField(default=100, help_text="Characters two chunks share."),
                ),
                (
                    "recognition",
                    models.CharField(
                        choices=[
                            ("off", "Never"),
                            ("needed", "Where a page is a picture or its text is damaged"),
                            ("always", "Every page, in place of the text in the file"),
                        ],
                        default="needed",
                        max_length=6,
                    ),
                ),
                (
                    "scan_reader",
                    models.CharField(
                        choices=[
                            ("svq", "SVQ's own reader"),
                            ("tesseract", "Tesseract, on this server"),
                            ("server", "The OCR server"),
                        ],
                        default="svq",
                        max_length=9,
                    ),
                ),
                (
                    "scan_languages",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="That scans are in, as Tesseract names them; none: any.",
                    ),
                ),
                (
                    "expansion",
                    models.BooleanField(
                        default=False,
                        help_text="Questions are searched in other words too, which the language model writes.",
                    ),
                ),
                (
                    "embedding_model",
                    models.CharField(blank=True, help_text="Set by the first embedding.", max_length=200),
                ),
                ("embedding_dimensions", models.PositiveIntegerField(blank=True, null=True)),
                ("suggested_questions", models.JSONField(blank=True, default=list)),
                (
                    "paused",
                    models.BooleanField(default=False, help_text="Reading of queued documents waits."),
                ),
                (
                    "documents_at_most",
                    models.PositiveBigIntegerField(
                        default=0,
                        help_text="Never fewer than it has, once they are many; see datasources.room.",
                    ),
                ),
                (
                    "size_at_most",
                    models.PositiveBigIntegerField(default=0, help_text="The same in bytes."),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="owned_datasources",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("title", models.CharField(max_length=300)),
                (
                    "description",
                    models.CharField(blank=True, help_text="What people say of it.", max_length=500),
                ),
                ("filename", models.CharField(max_length=300)),
                ("mime", models.CharField(max_length=100)),
                ("size", models.PositiveBigIntegerField(help_text="Bytes.")),
                ("sha256", models.CharField(max_length=64)),
                (
                    "file",
                    models.FileField(
                        max_length=200,
                        storage=datasources.models.documents_storage,
                        upload_to=datasources.models.blob_name,
                    ),
                ),
                (
                    "passage",
                    models.PositiveIntegerField(
                        blank=True, help_text="Line in a shared file of ready passages, from 1.", null=True
                    ),
                ),
                (
                    "metadata",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="What searches may be filtered by: tags and the like.",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("fetching", "Fetching the page"),
                            ("extracting", "Reading pages"),
                            ("recognising", "Recognising text"),
                            ("splitting", "Cutting chunks"),
                            ("embedding", "Embedding"),
                            ("linking", "Building the graph"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                            ("superseded", "Replaced by a newer version"),
                            ("deleted", "Deleted, can still be undone"),
                        ],
                        default="queued",
                        max_length=12,
                    ),
                ),
                (
                    "status_before",
                    models.CharField(blank=True, editable=False, help_text="Its deletion.", max_length=12),
                ),
                (
                    "stage_done",
                    models.PositiveIntegerField(default=0, help_text="Pages, chunks or vectors finished."),
                ),
                ("stage_total", models.PositiveIntegerField(default=0)),
                ("page_count", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "pages_without_text",
                    models.PositiveIntegerField(default=0, help_text="Pictures, which need OCR."),
                ),
                (
                    "pages_unreadable",
                    models.PositiveIntegerField(default=0, help_text="The reader, or OCR, stopped at them."),
                ),
                ("pages_recognised", models.PositiveIntegerField(default=0, help_text="Read by OCR.")),
                ("pages_unsure", models.PositiveIntegerField(default=0, help_text="Of these, hard to read.")),
                (
                    "recognise",
                    models.BooleanField(default=False, help_text="A person asked for OCR of its pictures."),
                ),
                ("chunk_count", models.PositiveIntegerField(default=0)),
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
                ("created", models.DateTimeField(auto_now_add=True)),
                ("ready_at", models.DateTimeField(blank=True, null=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="replacements",
                        to="datasources.document",
                    ),
                ),
                (
                    "part_of",
                    models.ForeignKey(
                        blank=True,
                        help_text="The mail that it is attached to: it is deleted with it.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="parts",
                        to="datasources.document",
                    ),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="WebPage",
            fields=[
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="web_page",
                        serialize=False,
                        to="datasources.document",
                    ),
                ),
                ("address", models.TextField(help_text="As a person gave it.")),
                ("final_address", models.TextField(blank=True, help_text="Where it was found in the end.")),
                (
                    "fetched",
                    models.DateTimeField(blank=True, help_text="Empty until it has been fetched.", null=True),
                ),
                (
                    "checked",
                    models.DateTimeField(blank=True, help_text="When it was asked for again.", null=True),
                ),
                ("outcome", models.CharField(blank=True, help_text="How that has ended.", max_length=500)),
            ],
        ),
        migrations.CreateModel(
            name="Introduction",
            fields=[
                (
                    "datasource",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="introduction",
                        serialize=False,
                        to="datasources.datasource",
                    ),
                ),
                ("description", models.CharField(blank=True, max_length=300)),
                (
                    "questions",
                    models.JSONField(
                        default=list,
                        help_text="[{question, documents}]: those that its quotes are from.",
                    ),
                ),
                (
                    "documents",
                    models.JSONField(default=list, help_text="Numbers of those that are described."),
                ),
                ("made", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "email",
                    models.EmailField(
                        help_text="In small letters.", max_length=254, verbose_name="e-mail address"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Can read and ask"),
                            ("editor", "Can also add and remove documents"),
                            ("owner", "Can also share, rename and delete"),
                        ],
                        default="viewer",
                        max_length=8,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="datasources.datasource",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("datasource", "email"), name="one_invitation_each")
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Can read and ask"),
                            ("editor", "Can also add and remove documents"),
                            ("owner", "Can also share, rename and delete"),
                        ],
                        default="viewer",
                        max_length=8,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="datasources.datasource",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Deletion",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "batch",
                    models.UUIDField(db_index=True, help_text="The same for what was deleted in one go."),
                ),
                ("datasource", models.BigIntegerField(help_text="Its number.")),
                ("datasource_name", models.CharField(max_length=120)),
                (
                    "document",
                    models.BigIntegerField(help_text="Its number; null for a whole datasource.", null=True),
                ),
                ("document_name", models.CharField(blank=True, max_length=300)),
                ("removed", models.JSONField(default=dict, help_text="How much there was, by kind.")),
                ("left", models.JSONField(help_text="How much the last check found, by kind.", null=True)),
                ("requested", models.DateTimeField(auto_now_add=True)),
                ("purged", models.DateTimeField(help_text="When its rows were deleted.", null=True)),
                ("completed", models.DateTimeField(help_text="When a check found nothing left.", null=True)),
                (
                    "versions",
                    models.JSONField(
                        default=list, help_text="Numbers of the document and its earlier versions."
                    ),
                ),
                ("files", models.JSONField(default=list, help_text="Names in the storage.")),
                ("contents", models.JSONField(default=list, help_text="SHA-256 of the files.")),
                (
                    "deleted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deletions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-requested", "pk"],
                "indexes": [
                    models.Index(fields=["datasource", "document"], name="deletion_subject"),
                    models.Index(
                        condition=models.Q(("completed", None)), fields=["datasource"], name="deletion_open"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="datasource",
            constraint=models.UniqueConstraint(
                fields=("owner", "name"), name="one_datasource_of_a_name_per_owner"
            ),
        ),
        migrations.AddIndex(
            model_name="document",
            index=GinIndex(fields=["metadata"], name="document_metadata", opclasses=["jsonb_path_ops"]),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ("superseded", "deleted")), _negated=True),
                fields=("datasource", "sha256"),
                name="one_document_per_content",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("datasource", "user"), name="one_membership_each"),
        ),
    ]
