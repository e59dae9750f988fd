"""Response times of the organizer's buttons on the day of an event.

python -m bench.day [--players 120] [--rounds 3] [--site FOLDER …]

Times each button (draw, publish, start, close), including the page that follows. Between start and
close, bots play a hand at each table, which is not timed. The site runs on a temporary SQLite file.
Times are wall-clock seconds, with seconds of processor time in parentheses. With --site, other
checkouts are measured one after the other.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench import machine
from bench.live import ROOT
from bench.scale import prepare_site, run_python_in

DAY = """
import json, re, sys, time
import django
django.setup()
from django.conf import settings
settings.ALLOWED_HOSTS = ["*"]
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from games import services as games
from tournament.events.services import create_event, publish_event
from tournament.models import Event, Registration, Round

User, players, rounds = get_user_model(), int(sys.argv[1]), int(sys.argv[2])
games.SHARE_SECONDS = 0
actor = User.objects.create(username="o", email="o@bench.invalid", is_staff=True)
made = Event(title="Bench day", slug="bench-day", ruleset="uno-500", hand_limit=1,
    eligibility_required=False, registration_closes=timezone.now())
event = publish_event(create_event(made, actor), actor)
event.stages.filter(number=1).update(rounds_planned=rounds)
users = User.objects.bulk_create(User(username=f"p{n}", email=f"p{n}@bench.invalid",
    display_name=f"Player {n}") for n in range(players))
Registration.objects.bulk_create(Registration(event=event, user=user, name=user.display_name,
    roll_number=str(n), roll_key=str(n), state="approved", queue_number=n + 1,
    registered_at=timezone.now()) for n, user in enumerate(users))
client = Client()
client.force_login(actor)
took = {}

def page(name, *rest):
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])

def press(name, address, action):
    shown = client.get(address).content.decode()
    form = next(f for f in re.findall(r"<form.*?</form>", shown, re.S) if f'value="{action}"' in f)
    hidden = dict(re.findall(r'type="hidden" name="(\\w+)" value="([^"]*)"', form))
    began, used = time.perf_counter(), time.process_time()
    answer = client.post(address, hidden | {"action": action}, follow=True)
    took.setdefault(name, []).append(
        [time.perf_counter() - began, time.process_time() - used])
    assert answer.status_code == 200

for number in range(1, rounds + 1):
    press("draw", page("rounds"), "draw")
    played = Round.objects.get(stage__event=event, number=number)
    assert played.tables.count() >= players // 4
    press("publish", page("round", played.pk), "publish")
    press("start", page("round", played.pk), "start")
    played.refresh_from_db()
    assert played.state == "running"
    for table in played.tables.select_related("match"):
        games.play_out(table.match)
    press("close", page("control"), "close")
    played.refresh_from_db()
    assert played.state == "closed"
print(json.dumps(took))
"""


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    print(f"{options.players} players, {options.rounds} rounds: seconds (of the processor)")
    folders = [times.resolve() for times in options.site or [ROOT]]
    for folder in folders * options.times:
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(prepare_site(folder), scratch, dirs_exist_ok=True)
            os.environ["LASTCARD_VAR"] = scratch
            arguments = str(options.players), str(options.rounds)
            times_by_button = json.loads(run_python_in(folder, "-c", DAY, *arguments))
        print(
            f"{folder.name}: "
            + "; ".join(_format_times(name, times) for name, times in times_by_button.items())
        )
    return 0


def _format_times(name: str, times: list[tuple[float, float]]) -> str:
    """Return a button's median and longest time over all rounds as text."""
    clock, used = zip(*times, strict=True)
    return f"{name} {median(clock):.2f} ({median(used):.2f}), at most {max(clock):.2f}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--site", type=Path, action="append", help="a checkout to measure")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
