"""F41: three hundred students who sign in from one address within a minute."""

import asyncio
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.process import Process
from tests.factories import make_user
from tests.tournament.visitors import is_signed_in, read_code, request_code, sign_in
from tournament.serving.flood_gate import FloodGate

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_students_behind_one_address_are_not_locked_out_together(client: Client) -> None:
    """Try 330 failed sign-ins, as if one in ten of 300 students mistyped once."""
    answers = [sign_in(client, login=f"student{number}@college.example") for number in range(330)]
    assert {str(answer.context["form"].errors["__all__"][0]) for answer in answers} == {
        "Wrong email address or password."
    }


def test_every_student_gets_a_code_and_signs_in(mailoutbox: list[EmailMessage]) -> None:
    users = [make_user() for _ in range(60)]
    devices = [Client() for _ in users]
    pages = [request_code(each, user.email) for each, user in zip(devices, users, strict=True)]
    for device, page, mail in zip(devices, pages, mailoutbox, strict=True):
        device.post(page, {"code": read_code(mail)})
    assert all(is_signed_in(device) for device in devices)


@pytest.mark.parametrize("page", ["account_login", "account_signup", "account_request_login_code"])
def test_no_student_waits_in_the_queue_for_floods(page: str) -> None:
    async def answer(_scope: Any, _receive: Any, _send: Any) -> None:
        pass

    async def arrive_together() -> list[bool]:
        gate, client = FloodGate(answer), ("203.0.113.9", 4)
        scope = {"method": "POST", "path": reverse(page), "client": client, "headers": []}
        posts = [asyncio.create_task(gate(scope, None, None)) for _ in range(330)]
        await asyncio.sleep(0)
        admitted = [post.done() for post in posts]
        for post in posts:
            post.cancel()
        return admitted

    with Process().enter():
        assert asyncio.run(arrive_together()) == [True] * 330
