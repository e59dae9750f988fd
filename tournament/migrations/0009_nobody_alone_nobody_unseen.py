"""A second person for far-reaching steps, a public history that keeps, draws by lot that are told."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tournament.models.event

KEPT = "A row of the history is never changed."
# Whoever makes SQLite build the table anew (any change of its columns) makes the trigger again.
TRIGGERS = {
    "sqlite": [
        f"""
        CREATE TRIGGER tournament_history_is_kept BEFORE UPDATE ON tournament_historyentry
        BEGIN SELECT RAISE(ABORT, '{KEPT}'); END
        """
    ],
    "postgresql": [
        f"""
        CREATE FUNCTION tournament_history_is_kept() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{KEPT}'; END $$
        """,
        """
        CREATE TRIGGER tournament_history_is_kept BEFORE UPDATE ON tournament_historyentry
        FOR EACH ROW EXECUTE FUNCTION tournament_history_is_kept()
        """,
    ],
}
UNDONE = {
    "sqlite": ["DROP TRIGGER tournament_history_is_kept"],
    "postgresql": [
        "DROP TRIGGER tournament_history_is_kept ON tournament_historyentry",
        "DROP FUNCTION tournament_history_is_kept",
    ],
}


def keep_history(apps, schema_editor):
    for statement in TRIGGERS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def let_history_go(apps, schema_editor):
    for statement in UNDONE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def choose_rule(apps, schema_editor):
    """Events from before keep what they had: a box for results entered by hand."""
    events = apps.get_model("tournament", "Event").objects
    events.filter(two_person_results=True).update(second_person="all")
    events.filter(two_person_results=False).update(second_person="off")


def choose_box(apps, schema_editor):
    events = apps.get_model("tournament", "Event").objects
    events.filter(second_person="all").update(two_person_results=True)


def carry_commentators(apps, schema_editor):
    event, row = apps.get_model("tournament", "Event"), apps.get_model("tournament", "Commentator")
    pairs = event.commentators.through.objects.values_list("event_id", "user_id")
    rows = row.objects.bulk_create(row(event_id=e, user_id=u) for e, u in pairs)
    # They see the hands that are dealt from now on, and who plays them is told.
    matches = apps.get_model("games", "Match").objects.exclude(phase="over")
    events = {each.event_id for each in rows}
    matches.filter(event_table__round__stage__event__in=events).update(commentary=True)


def propose_results(apps, schema_editor):
    """What was entered and waits, waits as a proposal now."""
    waiting = apps.get_model("tournament", "Result").objects.filter(state="entered")
    proposal = apps.get_model("tournament", "Proposal")
    for result in waiting.select_related("table__round__stage"):
        proposal.objects.create(
            event_id=result.table.round.stage.event_id,
            kind="result",
            facts={"version": 1, "result": result.pk},
            round_id=result.table.round_id,
            reason=result.reason,
            asked_by_id=result.entered_by_id,
        )


def nothing(apps, schema_editor):
    """Going back, the waiting entries are still there."""


def person(**kwargs):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
        **kwargs,
    )


def key():
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def of_event(related_name):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="tournament.event",
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0011_open_cards_are_told"),
        ("tournament", "0008_ways_in"),
    ]

    operations = [
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", key()),
                ("kind", models.CharField(max_length=20)),
                ("facts", models.JSONField()),
                ("reason", models.CharField(max_length=300)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waits for a second person"),
                            ("confirmed", "confirmed"),
                            ("withdrawn", "withdrawn"),
                            ("refused", "refused"),
                            ("alone", "done at once: the event has one organizer"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("answer", models.CharField(blank=True, max_length=300)),
                ("asked_by", person()),
                ("decided_by", person(null=True)),
                ("event", of_event("proposals")),
                (
                    "round",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="tournament.round",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="HistoryEntry",
            fields=[
                ("id", key()),
                ("number", models.PositiveIntegerField()),
                ("action", models.CharField(max_length=40)),
                ("role", models.CharField(max_length=12)),
                ("facts", models.JSONField()),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("at", models.DateTimeField()),
                ("previous", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("event", of_event("history")),
            ],
            options={
                "ordering": ["event", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "number"), name="one_entry_per_number"
                    )
                ],
            },
        ),
        migrations.RunPython(keep_history, let_history_go),
        migrations.CreateModel(
            name="Draw",
            fields=[
                ("id", key()),
                ("round_number", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                ("input", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draws",
                        to="tournament.stage",
                    ),
                ),
            ],
            options={
                "ordering": ["stage", "round_number", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("stage", "round_number", "number"), name="one_draw_per_number"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="second_person",
            field=models.CharField(
                choices=[
                    ("off", "nothing: one organizer is enough"),
                    ("far", "what is far-reaching"),
                    ("all", "what is far-reaching, and every result entered by hand"),
                ],
                default="far",
                max_length=4,
                verbose_name="a second organizer confirms",
            ),
        ),
        migrations.RunPython(choose_rule, choose_box),
        migrations.RemoveField(model_name="event", name="two_person_results"),
        migrations.CreateModel(
            name="Commentator",
            fields=[
                ("id", key()),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("event", of_event("commentary")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "user"), name="commentator_named_once"
                    )
                ],
            },
        ),
        migrations.RunPython(carry_commentators, nothing),
        migrations.RemoveField(model_name="event", name="commentators"),
        migrations.AddField(
            model_name="event",
            name="commentators",
            field=models.ManyToManyField(
                blank=True,
                related_name="commented_events",
                through="tournament.Commentator",
                to=settings.AUTH_USER_MODEL,
                verbose_name="commentators",
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="lots_key",
            field=models.CharField(
                default=tournament.models.event.new_lots_key, editable=False, max_length=32
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="lots_key",
            field=models.CharField(
                default=tournament.models.event.new_lots_key, editable=False, max_length=32
            ),
        ),
        migrations.RunPython(propose_results, nothing),
    ]
