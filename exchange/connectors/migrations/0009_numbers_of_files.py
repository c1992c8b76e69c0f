from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("connectors", "0008_drives")]

    operations = [
        migrations.AddField(
            model_name="followedfile",
            name="item",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Its number there, where it has one.",
                max_length=200,
            ),
        ),
    ]
