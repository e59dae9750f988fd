"""What stages of ready formats are called is told in the reader's language: words that they were
made with, in whichever language, become the name that they say. Other titles stay as typed."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import tournament.models.event

NAMES = [
    ("first", "First round (everybody plays)"),
    ("second", "Second round (knock-out)"),
    ("rounds", "Rounds"),
    ("later", "Second rounds (who went through)"),
    ("knockout", "Knock-out"),
    ("finals", "Finals"),
]
# By format: "Second round" names a knock-out alone.
TITLES = {
    ("rounds", "first"): ["First round", "প্রথম রাউন্ড", "पहला राउंड"],
    ("bracket", "second"): ["Second round", "দ্বিতীয় রাউন্ড", "दूसरा राउंड"],
    ("rounds", "rounds"): ["Rounds", "রাউন্ড", "राउंड"],
    ("rounds", "later"): ["Second rounds", "দ্বিতীয় দফার রাউন্ড", "दूसरे राउंड"],
    ("bracket", "knockout"): ["Knock-out", "নকআউট", "नॉकआउट"],
    ("bracket", "finals"): ["Finals", "ফাইনাল পর্ব", "फ़ाइनल चरण"],
}


def name_stages(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    stages = apps.get_model("tournament", "Stage").objects
    for (format, name), titles in TITLES.items():
        stages.filter(format=format, title__in=titles).update(title="", name=name)


def write_titles(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    stages = apps.get_model("tournament", "Stage").objects
    for (_format, name), titles in TITLES.items():
        stages.filter(name=name, title="").update(title=titles[0])


class Migration(migrations.Migration):
    dependencies = [("tournament", "0027_sentences")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="name",
            field=models.CharField(blank=True, choices=NAMES, max_length=8),
        ),
        migrations.AlterField(
            model_name="stage",
            name="title",
            field=models.CharField(
                blank=True,
                max_length=60,
                validators=[tournament.models.event.one_line],
                verbose_name="title",
            ),
        ),
        migrations.RunPython(name_stages, write_titles),
    ]
