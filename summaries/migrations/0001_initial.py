import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("datasources", "0001_initial"),
        ("ingestion", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="SummarySettings",
            fields=[
                (
                    "datasource",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="summary_settings",
                        serialize=False,
                        to="datasources.datasource",
                    ),
                ),
                (
                    "enabled",
                    models.BooleanField(
                        default=False, verbose_name="Summarise chunks and documents in a sentence"
                    ),
                ),
                (
                    "problem",
                    models.CharField(
                        blank=True, help_text="Why the last run stopped too early.", max_length=500
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "summary settings",
            },
        ),
        migrations.CreateModel(
            name="ChunkSummary",
            fields=[
                ("text", models.CharField(blank=True, max_length=400)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("model", models.CharField(max_length=200)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "chunk",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="summary",
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
                "verbose_name_plural": "chunk summaries",
            },
        ),
        migrations.CreateModel(
            name="DocumentSummary",
            fields=[
                ("text", models.CharField(blank=True, max_length=400)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("model", models.CharField(max_length=200)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="summary",
                        serialize=False,
                        to="datasources.document",
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
                "verbose_name_plural": "document summaries",
            },
        ),
    ]
