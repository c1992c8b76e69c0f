from datetime import UTC, datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("connectors", "0003_words_of_status")]

    operations = [
        migrations.AddField(
            model_name="connector",
            name="failures",
            field=models.PositiveIntegerField(default=0, help_text="Looks that failed, one after the other."),
        ),
        # What is there now was seen by an earlier look.
        migrations.AddField(
            model_name="followedfile",
            name="created",
            field=models.DateTimeField(auto_now_add=True, default=datetime(2026, 1, 1, tzinfo=UTC)),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="followedfile",
            name="added_here",
            field=models.BooleanField(
                default=False,
                help_text="The document came from there with all its versions, so it goes when the file goes.",
            ),
        ),
    ]
