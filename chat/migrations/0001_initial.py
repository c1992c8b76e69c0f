import uuid

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("datasources", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Conversation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("title", models.CharField(blank=True, max_length=200)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                (
                    "datasource",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="datasources.datasource",
                    ),
                ),
                ("document_ids", models.JSONField(help_text="Search only these; null means all.", null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-updated"],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("number", models.PositiveIntegerField(help_text="From 1.")),
                ("question", models.TextField()),
                (
                    "document_ids",
                    models.JSONField(help_text="What was searched; null means all.", null=True),
                ),
                (
                    "earlier",
                    models.JSONField(
                        default=list,
                        help_text="[{role, content}] before the question, as the asking program sent it.",
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[("agent", "Agent"), ("fast", "Fast")], default="agent", max_length=5
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting"),
                            ("running", "Working"),
                            ("answered", "Answered"),
                            ("partial", "Partly answered"),
                            ("quotes", "Passages found"),
                            ("not_found", "Not found in your documents"),
                            ("failed", "Failed"),
                            ("stopped", "Stopped"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("model", models.CharField(blank=True, max_length=200)),
                (
                    "quotes_only",
                    models.BooleanField(
                        default=False, help_text="Its model copies passages and writes nothing."
                    ),
                ),
                (
                    "answer",
                    models.TextField(blank=True, help_text="Markdown with ⟦n⟧ where citation n stands."),
                ),
                ("steps", models.JSONField(default=list, help_text="[{tool, arguments, hits, ms}]")),
                (
                    "trace",
                    models.JSONField(
                        default=list, help_text="The steps as a page lists them; see chat.trace."
                    ),
                ),
                (
                    "nearest",
                    models.JSONField(default=list, help_text="Nearest passages when nothing was found."),
                ),
                (
                    "search",
                    models.JSONField(
                        default=dict, help_text="When nothing was found; see chat.answering.unanswered."
                    ),
                ),
                ("usage", models.JSONField(default=dict, help_text="{prompt_tokens, completion_tokens}")),
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
                ("seconds", models.FloatField(blank=True, null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="chat.conversation",
                    ),
                ),
            ],
            options={
                "ordering": ["conversation", "number"],
                "indexes": [GinIndex(fields=["nearest"], name="turn_nearest", opclasses=["jsonb_path_ops"])],
            },
        ),
        migrations.CreateModel(
            name="Citation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.PositiveIntegerField(help_text="From 1, in order of the answer.")),
                (
                    "claim",
                    models.TextField(blank=True, help_text="The words of the answer that it stands for."),
                ),
                ("document_title", models.CharField(blank=True, max_length=300)),
                ("chunk_id_hint", models.BigIntegerField(null=True)),
                ("written", models.TextField(help_text="The quote as the model wrote it.")),
                (
                    "quote",
                    models.TextField(blank=True, help_text="The source's own words; empty when not located."),
                ),
                ("start", models.PositiveIntegerField(help_text="Offset in the document's text.", null=True)),
                ("end", models.PositiveIntegerField(null=True)),
                ("pages", models.JSONField(default=list, help_text="Numbers of the pages it overlaps.")),
                ("boxes", models.JSONField(default=dict, help_text="{page: [[x0, y0, x1, y1] in 0..1000]}")),
                (
                    "on_page",
                    models.CharField(
                        choices=[
                            ("exact", "On the page, letter for letter"),
                            ("normalised", "On the page, but for spaces, hyphens or case"),
                            ("corrected", "On the page, corrected to its own words"),
                            ("absent", "No source found"),
                        ],
                        help_text="About the quote.",
                        max_length=10,
                    ),
                ),
                (
                    "support",
                    models.CharField(
                        choices=[
                            ("supported", "Supports the claim"),
                            ("contradicted", "Contradicts the claim"),
                            ("needs_your_eye", "Needs your eye"),
                            ("none", "Nothing to judge"),
                        ],
                        default="none",
                        help_text="About the claim.",
                        max_length=14,
                    ),
                ),
                ("reason", models.TextField(blank=True, help_text="Why it does not support the claim.")),
                (
                    "checks",
                    models.JSONField(blank=True, default=list, help_text="By code: [{name, passed, detail}]"),
                ),
                (
                    "judge",
                    models.JSONField(
                        blank=True, default=dict, help_text="A model's opinion: {supported, reason, model}"
                    ),
                ),
                (
                    "before",
                    models.TextField(blank=True, help_text="The quote's sentence before the quote begins."),
                ),
                (
                    "after",
                    models.TextField(blank=True, help_text="The quote's sentence after the quote ends."),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="citations",
                        to="datasources.document",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="citations", to="chat.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["turn", "n"],
            },
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(fields=("conversation", "number"), name="one_turn_per_number"),
        ),
        migrations.AddConstraint(
            model_name="citation",
            constraint=models.UniqueConstraint(fields=("turn", "n"), name="one_citation_per_number"),
        ),
    ]
