from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0025_letters_with_a_calendar"),
    ]

    operations = [
        migrations.AddField(
            model_name="proposal",
            name="foreseen",
            field=models.JSONField(default=dict),
        ),
    ]
