"""When which lane was served; the indexes and the function by which workers take turns."""

from django.db import migrations, models

from jobs.sql import statements


class Migration(migrations.Migration):
    initial = True

    dependencies = [("procrastinate", "0041_post_retry_failed_job")]

    operations = [
        migrations.CreateModel(
            name="ServedLane",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("queue", models.CharField(max_length=128)),
                ("person", models.BigIntegerField(help_text="Their number; 0 is nobody's.")),
                ("datasource", models.BigIntegerField(help_text="Its number, or 0.")),
                ("served", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("queue", "person", "datasource"), name="served_lane_once")
                ],
            },
        ),
        migrations.RunSQL(statements["lane_of_job"], statements["drop_lane_of_job"]),
        migrations.RunSQL(statements["fetch_function"], "DROP FUNCTION fetch_job_in_turn"),
    ]
