from django.db import migrations, models
from django.db.models.fields.json import KeyTransform


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Channel",
            fields=[
                ("name", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("last_seq", models.IntegerField(default=0)),
                ("run_token", models.UUIDField(null=True)),
            ],
            options={
                "db_table": "event_channel",
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "channel", "seq", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("channel", models.CharField(max_length=80)),
                ("seq", models.IntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("data", models.JSONField()),
                ("final", models.BooleanField(default=False)),
                ("ephemeral", models.BooleanField(default=False)),
                ("created", models.DateTimeField()),
            ],
            options={
                "db_table": "event",
                "indexes": [
                    models.Index("channel", KeyTransform("document", "data"), name="event_of_document")
                ],
            },
        ),
    ]
