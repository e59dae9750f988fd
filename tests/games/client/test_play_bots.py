"""Tests of the play_bots command, whose clients play whole matches."""

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games import services
from games.models import Match
from tests.factories import make_user
from tests.games.helpers import create_match
from tests.live import LiveSite
from tournament.models import User

pytestmark = pytest.mark.django_db(transaction=True)


def run_command(*arguments: object) -> str:
    """Run the command and return its output.

    Raises CommandError if anything goes wrong.
    """
    output = io.StringIO()
    with redirect_stdout(output):
        call_command("play_bots", *map(str, arguments))
    return output.getvalue()


@pytest.fixture
def logins_file(tmp_path: Path) -> tuple[list[User], Path]:
    users = [make_user() for _ in range(2)]
    path = tmp_path / "logins"
    path.write_text("".join(f"{user.email} not-used\n" for user in users))
    return users, path


def test_seats_of_a_match_are_played_to_the_end(
    live_site: LiveSite, logins_file: tuple[list[User], Path]
) -> None:
    users, path = logins_file
    seats = [services.SeatSpec(str(user), user=user) for user in users]
    # Few cards and some delay, because fast players of a long hand would exceed the message limit.
    few = {"hand_size": 2}
    match = create_match(ruleset="uno-400", options=few, seats=seats, hand_limit=1)
    services.start_match(match)
    output = run_command(
        live_site.url, "--logins", path, "--match", match.public_id, "--delay", 0.1
    )
    assert output.startswith("2 players, ")
    assert "matches played to the end: 2, reconnects: 0" in output
    assert "ERROR" not in output
    assert Match.objects.get(pk=match.pk).ended == "hand-limit"


@pytest.mark.slow
def test_practice_tables_are_created_and_played_for_a_while(
    live_site: LiveSite, logins_file: tuple[list[User], Path]
) -> None:
    _, path = logins_file
    output = run_command(
        live_site.url, "--logins", path, "--seats", 2, "--seconds", 5, "--ruleset", "ocho"
    )
    assert output.startswith("2 players, ")
    assert "ERROR" not in output
    practices = Match.objects.filter(practice=True)
    assert list(practices.values_list("ruleset", flat=True)) == ["ocho", "ocho"]
    assert all(match.version > 2 for match in practices)


def test_failures_are_reported_as_errors(
    live_site: LiveSite, logins_file: tuple[list[User], Path]
) -> None:
    users, path = logins_file
    someone = services.start_practice(make_user(), "uno-400", 2)
    with pytest.raises(CommandError, match="Something went wrong"):
        run_command(live_site.url, "--logins", path, "--match", someone.public_id)
    with pytest.raises(CommandError, match="cannot sign in"):
        run_command(live_site.url, "--user", users[0].email, "--password", "guessed")
    with pytest.raises(CommandError, match="3 tables need 3 logins, one each; there are 2"):
        run_command(live_site.url, "--logins", path, "--tables", 3)
    with pytest.raises(CommandError, match="Say who plays"):
        run_command(live_site.url)
    with pytest.raises(CommandError, match="is not the address of a site"):
        run_command("ftp://cards.example.edu", "--logins", path)
    with pytest.raises(CommandError, match="No practice table for 99 players of 'ocho'"):
        run_command(live_site.url, "--logins", path, "--ruleset", "ocho", "--seats", 99)


def test_error_names_the_invalid_login_line(tmp_path: Path) -> None:
    path = tmp_path / "logins"
    path.write_text("a@college.example secret\n\nb@college.example\n")
    with pytest.raises(CommandError, match="Line 3 must be an address and a password"):
        run_command("http://127.0.0.1:1", "--logins", path)
