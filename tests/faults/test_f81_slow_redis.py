"""F81: Redis is slow or unresponsive. Neither play nor sign-ins wait for it."""

from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from pytest_django import Settings

from games.client.player import Visitor
from tests.faults.test_f54_redis_gone import PlayerPair
from tests.faults.test_f54_redis_gone import pair as pair
from tests.faults.test_f54_redis_gone import sweep_file as sweep_file
from tests.faults.test_f54_redis_gone import two_sites as two_sites
from tests.live import SiteProcess
from tests.network import Network, Quality
from tests.own_site import ADDRESS, PASSWORD
from tests.services import Redis, wait_for
from tournament.models import User
from tournament.settings import PASSWORD_HASHERS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

SLOW_NETWORK = Quality(delay=(0.1, 0.1))


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    """Provide the network between both processes and a Redis that only this test uses."""
    with Redis() as service, Network(service.port) as line:
        monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{line.port}/0")
        yield line


def test_pokes_reach_the_other_process_through_a_slow_redis(
    pair: PlayerPair, redis: Network
) -> None:
    wait_for(pair.have_pokes_arrived, "pokes")
    redis.quality = SLOW_NETWORK
    wait_for(pair.have_pokes_arrived, "slow pokes")


def test_unresponsive_redis_blocks_neither_play_nor_sign_in(
    two_sites: list[SiteProcess], pair: PlayerPair, redis: Network, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS
    user = User.objects.create_user("p", ADDRESS, PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    redis.quality = SLOW_NETWORK
    sign_in(two_sites[0])
    with redis.outage():
        sign_in(two_sites[1])
        pair.flag.touch()
        assert [pair.take_turn(sweep=True) for _ in range(4)] == [True] * 4
    wait_for(pair.have_pokes_arrived, "pokes again")


def sign_in(site: SiteProcess) -> None:
    visitor = Visitor(site.url)
    visitor.sign_in(ADDRESS, PASSWORD)
    assert "sessionid" in visitor.cookies
