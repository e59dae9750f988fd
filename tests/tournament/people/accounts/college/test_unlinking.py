"""Tests of unlinking a college account, which requires another sign-in method."""

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.factories import make_organizer
from tests.tournament.helpers import get_refusal_code
from tests.tournament.second_factor import give_app
from tests.tournament.visitors import make_asha
from tournament.models import User
from tournament.people.accounts.college.unlinking import (
    OtherSignInMethods,
    is_linked,
    list_other_sign_in_methods,
    unlink_account,
)

pytestmark = pytest.mark.django_db

ADDRESS = "asha@college.example"
REASON = "The college gave her old address to somebody else."


def link_college_account(user: User) -> User:
    SocialAccount.objects.create(user=user, provider="college", uid="asha")
    return user


def remove_password(user: User) -> User:
    user.set_unusable_password()
    user.save()
    return user


@pytest.mark.parametrize(
    ("password", "confirmed", "ways"),
    [
        (True, True, OtherSignInMethods(True, ADDRESS)),
        (True, False, OtherSignInMethods(True, "")),
        (False, True, OtherSignInMethods(False, ADDRESS)),
    ],
)
def test_college_account_can_be_unlinked_if_another_sign_in_method_remains(
    password: bool, confirmed: bool, ways: OtherSignInMethods
) -> None:
    user = link_college_account(make_asha() if password else remove_password(make_asha()))
    EmailAddress.objects.update(verified=confirmed)
    assert list_other_sign_in_methods(user) == ways
    unlink_account(user)
    assert not is_linked(user)


def test_last_sign_in_method_cannot_be_unlinked() -> None:
    user = link_college_account(remove_password(make_asha()))
    EmailAddress.objects.update(verified=False)
    assert get_refusal_code(unlink_account, user) == "last-way"
    assert is_linked(user)


def test_staff_must_keep_a_sign_in_method_for_the_desk() -> None:
    """Check that staff keep a sign-in method that opens the desk.

    An emailed code does not open it.
    """
    user = link_college_account(remove_password(make_asha(is_staff=True)))
    assert get_refusal_code(unlink_account, user) == "last-way"
    assert is_linked(user)
    give_app(user)
    unlink_account(user)
    assert not is_linked(user)


def test_unlinked_account_cannot_be_unlinked() -> None:
    assert get_refusal_code(unlink_account, make_asha()) == "not-joined"


def test_helper_cannot_unlink_their_own_account() -> None:
    root = link_college_account(make_organizer(name="Root", is_superuser=True))
    assert get_refusal_code(unlink_account, root, root, REASON) == "own"


@pytest.mark.parametrize(
    ("helped", "expected"),
    [
        (False, "Your college account was unlinked on the “Your account” page."),
        (
            True,
            f"Root unlinked your college account and wrote:\n\n    {REASON}",
        ),
    ],
)
def test_unlinking_notifies_the_person(
    helped: bool,
    expected: str,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    root = make_organizer(name="Root", is_superuser=True)
    with django_capture_on_commit_callbacks(execute=True):
        unlink_account(link_college_account(make_asha()), *((root, REASON) if helped else ()))
    [mail] = mailoutbox
    assert mail.to == [ADDRESS]
    assert mail.subject == "College account unlinked from your Lastcard account"
    assert expected in str(mail.body)
