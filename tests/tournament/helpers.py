"""How tests ask services: for the code of a refusal, or from many threads at once."""

import threading
from typing import Any

import pytest
from django.db import connection

from tests.factories import make_user
from tournament.models import User
from tournament.services import Refused


def code_of(call: Any, *args: Any, **kwargs: Any) -> str:
    """The code with which the call is refused."""
    with pytest.raises(Refused) as refusal:
        call(*args, **kwargs)
    assert refusal.value.message.endswith(".")
    return refusal.value.code


def at_once(call: Any, count: int) -> list[str]:
    """Run `call(user, number)` in `count` threads together; the codes of refusals, or ""."""
    users = [make_user() for _ in range(count)]
    barrier = threading.Barrier(count)
    codes: list[str] = []

    def run(user: User, number: int) -> None:
        barrier.wait()
        try:
            call(user, number)
            codes.append("")
        except Refused as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=run, args=pair) for pair in zip(users, range(count), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return codes
