"""`manage.py demo`: create the demo event, and optionally serve it with simulated players."""

import errno
import json
import os
import socket
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from tournament.demo import accounts, addresses, events
from tournament.demo.people import list_students
from tournament.demo.players import Players
from tournament.models import User

LOGINS = "demo-logins.json"


class Command(BaseCommand):
    help = "Create the demo event if it does not exist, and print its logins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--serve", action="store_true", help="then serve the site")
        parser.add_argument(
            "--host", default="127.0.0.1", help="0.0.0.0 allows phones in the same network"
        )
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *, serve: bool, host: str, port: int, **options: Any) -> None:
        if serve and is_port_taken(host, port):
            raise CommandError(f"Port {port} is in use. Take another: PORT={port + 1} make run")
        path = Path(settings.VAR_DIR) / LOGINS
        is_new_file = not path.exists()
        logins = read_logins(path)
        if not events.is_demo_created():
            self.stdout.write(
                "Making the demo event: forty students, the first round half played …"
            )
            events.build_demo(logins)
        elif is_new_file:
            set_passwords(logins)
        self.stdout.write(format_welcome(logins, host, port))
        self.stdout.flush()
        if serve:
            settings.ALLOWED_HOSTS = addresses.list_allowed_hosts(host, settings.ALLOWED_HOSTS)
            Players(visitor=list_students()[0].email).start()
            call_command("serve", host=host, port=port)


def read_logins(path: Path) -> dict[str, str]:
    """Return the demo's passwords by user name.

    The first call generates them and stores them in a file that only its owner can read.
    """
    if not path.exists():
        logins = {
            address: accounts.new_password()
            for address in (accounts.ORGANIZER, list_students()[0].email)
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(logins, file)
    stored: dict[str, str] = json.loads(path.read_text())
    return stored


def set_passwords(logins: dict[str, str]) -> None:
    """Set these passwords for the demo's accounts, because the old ones have been lost."""
    for user in User.objects.filter(username__in=logins):
        user.set_password(logins[user.username])
        user.save(update_fields=["password"])


def describe_logins(logins: dict[str, str]) -> dict[str, str]:
    """Return a line with the current address and password of each account."""
    users = {user.username: user for user in User.objects.filter(username__in=logins)}
    return {name: _describe_login(users.get(name), password) for name, password in logins.items()}


def _describe_login(user: User | None, password: str) -> str:
    if user is None:
        return "(the account has been removed)"
    is_unchanged = user.check_password(password)
    return f"{user.email}   {password if is_unchanged else '(the password set since)'}"


def format_welcome(logins: dict[str, str], host: str, port: int) -> str:
    """Return the welcome text, with the site's URLs and the logins."""
    player = list_students()[0]
    login_lines = describe_logins(logins)
    lines = ["", "Lastcard's demo is ready.", "", *addresses.address_lines(host, port)]
    lines += [
        "",
        f"  Organizer   {login_lines[accounts.ORGANIZER]}",
        f"              her desk: http://localhost:{port}/admin/",
        f"  Student     {login_lines[player.email]}",
        f"              {player.name} has a seat at a live table: "
        f"http://localhost:{port}/my-table/",
        "",
        "  Mail, such as codes for new accounts, is printed below. Stop with Ctrl-C; make run goes",
        "  on where it was; make clean forgets everything.",
        "",
    ]
    return "\n".join(lines)


def is_port_taken(host: str, port: int) -> bool:
    """Return whether the port is already in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return True
    return False
