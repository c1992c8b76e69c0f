"""The names that OAuth has for these. Tables and columns keep theirs: the version before works on them, too."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("programs", "0001_initial")]

    operations = [
        migrations.AlterModelTable(name="LetIn", table="programs_letin"),
        migrations.AlterModelTable(name="Renewal", table="programs_renewal"),
        migrations.RenameModel(old_name="LetIn", new_name="Grant"),
        migrations.RenameModel(old_name="Renewal", new_name="RefreshToken"),
        migrations.AlterField(
            model_name="refreshtoken",
            name="let_in",
            field=models.ForeignKey(
                db_column="let_in_id",
                on_delete=django.db.models.deletion.CASCADE,
                related_name="refresh_tokens",
                to="programs.grant",
            ),
        ),
        migrations.RenameField(model_name="refreshtoken", old_name="let_in", new_name="grant"),
        migrations.AlterModelOptions(name="grant", options={"ordering": ["-token__created", "-pk"]}),
        migrations.AlterField(
            model_name="grant",
            name="token",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="grant",
                serialize=False,
                to="accounts.apitoken",
            ),
        ),
        migrations.AlterField(
            model_name="grant",
            name="program",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="grants", to="programs.program"
            ),
        ),
    ]
