"""Rounds count through the event, and those before a final have its names."""

from itertools import groupby
from typing import Any

from django.db import migrations, models

NAMES = {1: "semi", 2: "quarter"}


def name_rounds(apps: Any, _schema: Any) -> None:
    """Only where a final has been drawn is it known how far from it a round was."""
    rounds = apps.get_model("tournament", "Round").objects.select_related("stage")
    in_order = rounds.order_by("stage__event", "stage__number", "number")
    for _event, of_event in groupby(in_order, lambda each: each.stage.event_id):
        mine = list(of_event)
        for ordinal, played in enumerate(mine, 1):
            played.ordinal, played.name = ordinal, _name(played, mine)
            played.save(update_fields=["ordinal", "name"])
            _name_matches(played)


def _name(played: Any, rounds: list[Any]) -> str:
    if played.stage.format != "bracket":
        return ""
    finals = [r.number for r in rounds if r.stage_id == played.stage_id and r.is_final]
    return NAMES.get(finals[0] - played.number, "") if finals else ""


def _name_matches(played: Any) -> None:
    """What a match of an event is called on its own pages follows its round."""
    for table in played.tables.select_related("match").exclude(match=None):
        match = table.match
        if match.occasion.get("round") is not None:
            match.occasion = {**match.occasion, "round": played.ordinal, "name": played.name}
            match.save(update_fields=["occasion"])


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0011_possible_points_and_invitations"),
        ("games", "0011_open_cards_are_told"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="name",
            field=models.CharField(
                blank=True,
                choices=[("quarter", "Quarter-final"), ("semi", "Semi-final")],
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="ordinal",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.RunPython(name_rounds, migrations.RunPython.noop),
    ]
