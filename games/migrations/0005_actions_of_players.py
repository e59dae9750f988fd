"""The log names players of the hand, and says so; until now it called them seats."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0004_races"),
    ]

    operations = [
        migrations.RenameModel("Action", "LoggedAction"),
        migrations.AlterModelOptions(
            name="loggedaction",
            options={"ordering": ["hand", "number"], "verbose_name": "action"},
        ),
        migrations.RemoveConstraint(model_name="loggedaction", name="action_client_id_once"),
        migrations.RenameField(model_name="loggedaction", old_name="seat", new_name="player"),
        migrations.AddConstraint(
            model_name="loggedaction",
            constraint=models.UniqueConstraint(
                condition=models.Q(("client_id", ""), _negated=True),
                fields=("hand", "player", "client_id"),
                name="action_client_id_once",
            ),
        ),
    ]
