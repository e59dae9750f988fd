"""A match of an event keeps its round and table, to be called by them in any language."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_fields_in_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="occasion",
            field=models.JSONField(default=dict),
        ),
    ]
