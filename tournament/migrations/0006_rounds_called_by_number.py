from django.db import migrations


class Migration(migrations.Migration):
    # A round's title always followed from its number and from whether it is the final.

    dependencies = [
        ("tournament", "0005_verdicts_kept"),
    ]

    operations = [
        migrations.RemoveField(model_name="round", name="title"),
    ]
