"""What the desk calls the fields, marked for translation; the database stays as it is."""

import django.db.models.deletion
import games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_actions_of_players"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="hand",
            options={
                "ordering": ["match", "number"],
                "verbose_name": "hand",
                "verbose_name_plural": "hands",
            },
        ),
        migrations.AlterModelOptions(
            name="loggedaction",
            options={
                "ordering": ["hand", "number"],
                "verbose_name": "action",
                "verbose_name_plural": "actions",
            },
        ),
        migrations.AlterModelOptions(
            name="match",
            options={"ordering": ["pk"], "verbose_name": "match", "verbose_name_plural": "matches"},
        ),
        migrations.AlterModelOptions(
            name="seat",
            options={
                "ordering": ["match", "number"],
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
            },
        ),
        migrations.AlterField(
            model_name="hand",
            name="commitment",
            field=models.CharField(max_length=64, verbose_name="commitment"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="dealer",
            field=models.PositiveSmallIntegerField(verbose_name="dealer"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="dealt_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="dealt at"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="deck",
            field=models.JSONField(verbose_name="deck"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ended at"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="final",
            field=models.JSONField(blank=True, null=True, verbose_name="final"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="left",
            field=models.JSONField(blank=True, null=True, verbose_name="left"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="hands",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="hand",
            name="nonce",
            field=models.CharField(max_length=64, verbose_name="nonce"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="number",
            field=models.PositiveSmallIntegerField(verbose_name="number"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="opening",
            field=models.JSONField(default=dict, verbose_name="opening"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="players",
            field=models.JSONField(verbose_name="players"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="points",
            field=models.JSONField(blank=True, null=True, verbose_name="points"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="void",
            field=models.BooleanField(default=False, verbose_name="void"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="void_reason",
            field=models.CharField(blank=True, max_length=300, verbose_name="void reason"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="winner",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="winner"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="action",
            field=models.JSONField(verbose_name="action"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="at",
            field=models.DateTimeField(verbose_name="at"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="auto",
            field=models.CharField(blank=True, max_length=10, verbose_name="auto"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="chance",
            field=models.JSONField(default=list, verbose_name="chance"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="client_id",
            field=models.CharField(blank=True, max_length=64, verbose_name="client id"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="events",
            field=models.JSONField(verbose_name="events"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="hand",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="actions",
                to="games.hand",
                verbose_name="hand",
            ),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="number",
            field=models.PositiveSmallIntegerField(verbose_name="number"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="player",
            field=models.PositiveSmallIntegerField(verbose_name="player"),
        ),
        migrations.AlterField(
            model_name="loggedaction",
            name="version",
            field=models.PositiveIntegerField(verbose_name="version"),
        ),
        migrations.AlterField(
            model_name="match",
            name="absence_seconds",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="absence seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="bank_seconds",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="bank seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="between_seconds",
            field=models.PositiveSmallIntegerField(default=12, verbose_name="between seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="bot_seconds",
            field=models.FloatField(default=1.2, verbose_name="bot seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="claims",
            field=models.PositiveIntegerField(default=0, verbose_name="claims"),
        ),
        migrations.AlterField(
            model_name="match",
            name="created_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
        ),
        migrations.AlterField(
            model_name="match",
            name="due",
            field=models.DateTimeField(blank=True, null=True, verbose_name="due"),
        ),
        migrations.AlterField(
            model_name="match",
            name="ended",
            field=models.CharField(
                blank=True,
                choices=[
                    ("target", "the target was reached"),
                    ("hand-limit", "the last hand was played"),
                    ("time", "time was up"),
                    ("abandoned", "abandoned"),
                ],
                max_length=10,
                verbose_name="ended",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ended at"),
        ),
        migrations.AlterField(
            model_name="match",
            name="ended_reason",
            field=models.CharField(blank=True, max_length=300, verbose_name="ended reason"),
        ),
        migrations.AlterField(
            model_name="match",
            name="ends_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ends at"),
        ),
        migrations.AlterField(
            model_name="match",
            name="hand_limit",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="hand limit"
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="links",
            field=models.JSONField(blank=True, default=dict, verbose_name="links"),
        ),
        migrations.AlterField(
            model_name="match",
            name="options",
            field=models.JSONField(blank=True, default=dict, verbose_name="options"),
        ),
        migrations.AlterField(
            model_name="match",
            name="paused_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="paused at"),
        ),
        migrations.AlterField(
            model_name="match",
            name="phase",
            field=models.CharField(
                choices=[
                    ("waiting", "not begun"),
                    ("playing", "a hand is being played"),
                    ("between", "between two hands"),
                    ("over", "over"),
                ],
                default="waiting",
                max_length=10,
                verbose_name="phase",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="practice",
            field=models.BooleanField(default=False, verbose_name="practice"),
        ),
        migrations.AlterField(
            model_name="match",
            name="public_id",
            field=models.CharField(
                default=games.models.new_public_id,
                editable=False,
                max_length=32,
                unique=True,
                verbose_name="public id",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="replays",
            field=models.CharField(
                choices=[
                    ("hand", "as soon as the hand is over"),
                    ("over", "when the match is over"),
                    ("never", "never"),
                ],
                default="over",
                max_length=6,
                verbose_name="replays",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="started_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="started at"),
        ),
        migrations.AlterField(
            model_name="match",
            name="title",
            field=models.CharField(blank=True, max_length=80, verbose_name="title"),
        ),
        migrations.AlterField(
            model_name="match",
            name="topic",
            field=models.CharField(blank=True, max_length=80, verbose_name="topic"),
        ),
        migrations.AlterField(
            model_name="match",
            name="turn_seconds",
            field=models.PositiveSmallIntegerField(default=25, verbose_name="turn seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="turn_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="turn until"),
        ),
        migrations.AlterField(
            model_name="match",
            name="version",
            field=models.PositiveIntegerField(default=0, verbose_name="version"),
        ),
        migrations.AlterField(
            model_name="match",
            name="viewer_delay_seconds",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="viewer delay seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="viewers",
            field=models.CharField(
                choices=[
                    ("live", "every move at once"),
                    ("delayed", "every move, some time later"),
                    ("hand", "each hand when it is over"),
                ],
                default="live",
                max_length=8,
                verbose_name="viewers",
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="bot",
            field=models.CharField(blank=True, max_length=20, verbose_name="bot"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="controller",
            field=models.CharField(blank=True, max_length=16, verbose_name="controller"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="extra_seconds",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="extra seconds"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="seats",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="name",
            field=models.CharField(max_length=40, verbose_name="name"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="number",
            field=models.PositiveSmallIntegerField(verbose_name="number"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="seen_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="seen at"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="user",
            ),
        ),
    ]
