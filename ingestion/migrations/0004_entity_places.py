import django.db.models.deletion
from django.db import migrations, models

# Entities are deleted by plain SQL, so their places have to go by themselves.
ADD = """
ALTER TABLE ingestion_entityplace ADD CONSTRAINT place_of_entity
FOREIGN KEY (entity_id) REFERENCES ingestion_entity (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
"""
DROP = "ALTER TABLE ingestion_entityplace DROP CONSTRAINT place_of_entity"


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0003_graph_extraction")]

    operations = [
        migrations.CreateModel(
            name="EntityPlace",
            fields=[
                (
                    "entity",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="place",
                        serialize=False,
                        to="ingestion.entity",
                    ),
                ),
                ("x", models.FloatField()),
                ("y", models.FloatField()),
            ],
        ),
        migrations.RunSQL(ADD, DROP),
    ]
