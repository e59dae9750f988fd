"""Cost of the public leaderboard.

python -m bench.public [--players 160] [--rounds 5] [--seconds 4] [--site FOLDER …]

Creates an event with results on paper in a temporary SQLite file. Prints the leaderboard's size,
its queries and processor time without caches, and how many anonymous requests per second the site
answers. Only the processor time of the site's process is counted. With --site, other checkouts are
measured instead, one after the other.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from bench import machine
from bench.live import ROOT, free_port, serve
from bench.scale import find_serving_pids, prepare_site, run_python_in
from bench.screens import read_processor_seconds

SLUG = "bench-cup"
PAGES = ["/", *(f"/e/{SLUG}/{page}" for page in ("", "leaderboard/", "tables/", "results/"))]
CONNECTIONS = 16
REQUEST = "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"
MAKE = """
import random, sys
import django
django.setup()
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from tournament.models import Event, Registration, Result, Round, Stage, Table, TableSeat

def bulk(model, rows):
    return model.objects.bulk_create([model(**row) for row in rows])

players, rounds = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(players)
with transaction.atomic():
    event = Event.objects.create(title="Bench cup", slug="bench-cup", ruleset="uno-500",
        state="running", eligibility_required=False)
    users = bulk(get_user_model(), [{"username": f"p{n}", "email": f"p{n}@bench.invalid",
        "display_name": f"Player {n}"} for n in range(players)])
    people = bulk(Registration, [{"event": event, "user": user, "name": user.display_name,
        "roll_number": str(n), "roll_key": str(n), "state": "approved", "queue_number": n + 1,
        "registered_at": timezone.now()} for n, user in enumerate(users)])
    stage = Stage.objects.create(event=event, number=1, title="First", state="open")
    for number in range(1, rounds + 1):
        played = Round.objects.create(stage=stage, number=number, ordinal=number, state="closed")
        chance.shuffle(people)
        tables = bulk(Table, [{"round": played, "number": n + 1, "paper": True}
            for n in range(players // 4)])
        bulk(TableSeat, [{"table": table, "number": seat, "registration": people[4 * n + seat]}
            for n, table in enumerate(tables) for seat in range(4)])
        bulk(Result, [{"table": table, "state": "confirmed", "entered_by": users[0],
            "points": [chance.randrange(600) for _ in range(4)]} for table in tables])
"""
COST = """
import gc, gzip, json, time
import django
django.setup()
from django.conf import settings
settings.ALLOWED_HOSTS = ["*"]
from django.db import connection
from django.test import Client
client, path = Client(), "/e/bench-cup/leaderboard/"
client.get(path)
# As the site does at its start.
gc.freeze()
asked = []
def counted(execute, sql, *rest):
    asked.append(sql)
    return execute(sql, *rest)
with connection.execute_wrapper(counted):
    page = client.get(path).content
took = []
for _ in range(7):
    began = time.process_time()
    client.get(path)
    took.append(time.process_time() - began)
print(json.dumps([len(asked), 1000 * sorted(took)[3], len(page), len(gzip.compress(page, 6))]))
"""
NEWS = """
import json, random
import django
django.setup()
from django.db import transaction
from games.sockets.base import encode
from tournament.web.live import boards, rows
from tournament.models import Event, Result

event, chance, sizes = Event.objects.get(), random.Random(3), []
news = boards.read_news(event)
whole, before = len(encode({"html": news.html})), news.shown
with transaction.atomic():
    for result in chance.sample(list(Result.objects.all()), 40):
        result.points[chance.randrange(4)] += chance.randrange(40, 160)
        result.save()
        now = boards.read_news(event).shown
        sizes.append(len(encode(rows.list_changes(before, now, 9))))
        before = now
    transaction.set_rollback(True)
print(json.dumps([whole, *sorted(sizes)[19::20]]))
"""


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    for folder in [folder.resolve() for folder in options.site or [ROOT]]:
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(prepare_site(folder), scratch, dirs_exist_ok=True)
            os.environ["LASTCARD_VAR"] = scratch
            run_python_in(folder, "-c", MAKE, str(options.players), str(options.rounds))
            queries, ms, size, compressed = json.loads(run_python_in(folder, "-c", COST))
            print(
                f"{folder.name}: leaderboard of {options.players}, {options.rounds} rounds: "
                f"{queries} queries, {ms:.0f} ms of processor, {size} bytes, "
                f"{compressed} compressed"
            )
            if (folder / "tournament/web/live/rows.py").exists():
                whole, median, most = json.loads(run_python_in(folder, "-c", NEWS))
                print(
                    f"{folder.name}: a hand won is told to a window in {median} bytes (median), "
                    f"at most {most}; the whole board in {whole}"
                )
            _measure_pages(folder, options.seconds)
    return 0


def _measure_pages(folder: Path, seconds: float) -> None:
    port = free_port()
    site = serve(port, 1, folder)
    try:
        for path in PAGES:
            [pid] = find_serving_pids(site.pid, 1)
            used, start = read_processor_seconds(pid), time.monotonic()
            responses, received = asyncio.run(_send_requests(port, path, seconds))
            duration, used = time.monotonic() - start, read_processor_seconds(pid) - used
            print(
                f"{folder.name}: {path} {responses / duration:.0f} requests/s, "
                f"{1e6 * used / responses:.0f} µs of processor each "
                f"({responses / used:.0f} a second of processor), {received / responses:.0f} bytes",
                flush=True,
            )
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(timeout=60)


async def _send_requests(port: int, path: str, seconds: float) -> tuple[int, int]:
    """Return the numbers of responses and bytes received within `seconds` seconds.

    Each connection sends the next request when it has received a response.
    """
    end = time.monotonic() + seconds
    counts = await asyncio.gather(*(_repeat_requests(port, path, end) for _ in range(CONNECTIONS)))
    return sum(count for count, _ in counts), sum(size for _, size in counts)


async def _repeat_requests(port: int, path: str, end: float) -> tuple[int, int]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = received = 0
    while time.monotonic() < end:
        writer.write(REQUEST.format(path=path).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        lines = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:-2])
        body = await reader.readexactly(int(lines[b"content-length"]))
        answered, received = answered + 1, received + len(head) + len(body)
    writer.close()
    return answered, received


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=160)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--site", type=Path, action="append", help="a checkout to measure")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
