"""Workers fetch only jobs that they can do."""

from django.db import migrations

from jobs.sql import statements


class Migration(migrations.Migration):
    dependencies = [("jobs", "0004_job_reports")]

    operations = [migrations.RunSQL(statements["fetch_known"], statements["drop_fetch_known"])]
