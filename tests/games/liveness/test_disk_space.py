"""Tests of the disk check, which stops heartbeats until PostgreSQL has space again."""

import asyncio
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from games import services
from games.liveness import disk_space
from games.models import Beat
from games.process import Process, here, run_in_database_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.sql]

# The error that PostgreSQL raises when it cannot extend a file.
DISK_FULL_STATEMENT = ("DO $$ BEGIN RAISE SQLSTATE '53100'; END $$",)


def raise_disk_full() -> None:
    with connection.cursor() as cursor:
        cursor.execute(*DISK_FULL_STATEMENT)


def test_full_disk_prevents_heartbeats_until_space_is_free(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.beat()
    first = Beat.objects.get().at
    with pytest.raises(OperationalError):
        asyncio.run(run_in_database_thread(raise_disk_full))
    with monkeypatch.context() as full:
        full.setattr(disk_space, "TRIAL_STATEMENTS", DISK_FULL_STATEMENT)
        with pytest.raises(OperationalError):
            services.beat()
    assert Beat.objects.get().at == first
    services.beat()
    assert Beat.objects.get().at > first
    assert not process.database.refused


def test_disk_check_works_repeatedly_inside_a_transaction() -> None:
    with transaction.atomic():
        for _ in range(2):
            here().database.refused = True
            services.check_disk_space()


def test_disk_check_makes_no_query_without_an_earlier_refusal(
    django_assert_num_queries: Any,
) -> None:
    with django_assert_num_queries(0):
        services.check_disk_space()


def test_disk_check_tolerates_missing_permission_to_create_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forbidden = ("DO $$ BEGIN RAISE SQLSTATE '42501'; END $$",)
    monkeypatch.setattr(disk_space, "TRIAL_STATEMENTS", forbidden)
    here().database.refused = True
    services.check_disk_space()
    assert not here().database.refused
