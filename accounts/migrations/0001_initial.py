import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import accounts.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                ("email", models.EmailField(max_length=254, unique=True, verbose_name="e-mail address")),
                ("name", models.CharField(blank=True, max_length=150)),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "Same as the device"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=8,
                    ),
                ),
                ("single_key_shortcuts", models.BooleanField(default=True)),
                ("show_answers_when_complete", models.BooleanField(default=False)),
                (
                    "may_see_contents",
                    models.BooleanField(
                        default=False,
                        help_text="In the administration: names and texts of what belongs to others. Each look is logged.",
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", accounts.models.EmailUserManager()),
            ],
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(help_text="The person's, at that time.", max_length=254)),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("looked", "Looked at contents"),
                            ("allowed", "May see contents from now on"),
                            ("forbade", "May no longer see contents"),
                        ],
                        max_length=8,
                    ),
                ),
                ("subject", models.CharField(help_text="The kind of row.", max_length=100)),
                (
                    "number",
                    models.CharField(blank=True, help_text="The row's; empty for a list.", max_length=40),
                ),
                ("address", models.CharField(blank=True, max_length=500)),
                ("time", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["-time", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "digest",
                    models.CharField(
                        editable=False, help_text="SHA-256 of its text.", max_length=64, unique=True
                    ),
                ),
                ("beginning", models.CharField(help_text="Of its text, to know it by.", max_length=8)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[("read", "Read"), ("ask", "Ask"), ("write", "Write")], max_length=5
                        ),
                        size=None,
                    ),
                ),
                (
                    "datasource_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        help_text="Numbers of those it reaches; null: all of the person's.",
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "password_mark",
                    models.CharField(editable=False, help_text="It ends with this password.", max_length=64),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expires", models.DateTimeField()),
                ("last_used", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "API token",
                "ordering": ["-created", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "name"), name="one_token_of_a_name_each")
                ],
            },
        ),
        migrations.CreateModel(
            name="Usage",
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
                            ("documents", "Documents"),
                            ("bytes", "Size of files"),
                            ("questions", "Questions"),
                        ],
                        max_length=9,
                    ),
                ),
                ("minute", models.DateTimeField()),
                ("amount", models.PositiveBigIntegerField(default=0)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "kind", "minute"), name="usage_once_a_minute")
                ],
            },
        ),
    ]
