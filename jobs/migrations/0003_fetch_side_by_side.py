"""Workers fetch jobs side by side, each for another person."""

from django.db import migrations

from jobs.sql import statements


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_worker_processes")]

    operations = [
        migrations.RunSQL(statements["index_running"], statements["drop_index_running"]),
        migrations.RunSQL(statements["fetch_side_by_side"], migrations.RunSQL.noop),
    ]
