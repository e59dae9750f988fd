"""Reasons why a person cannot sign in, for the server's operators.

Wrong passwords appear only in the security log.
"""

from collections.abc import Iterator

from allauth.account.models import EmailAddress

from tournament.common.moments import moment_text
from tournament.common.refusals import RefusedError
from tournament.mail import letters
from tournament.models import Letter, Registration, User
from tournament.people.accounts.assurance import list_second_factors
from tournament.people.accounts.college.unlinking import is_linked
from tournament.people.accounts.desk_codes import check_may_sign_in

UNKNOWN = "No account has this address."


def find_account(address: str) -> User | None:
    """Return the account with this sign-in address, ignoring case, or None."""
    address_row = EmailAddress.objects.filter(email__iexact=address).select_related("user").first()
    return address_row.user if address_row else User.objects.filter(email__iexact=address).first()


def find_similar_addresses(address: str) -> list[str]:
    """Return up to five account addresses with the same local part, in any domain."""
    name, _at, _domain = address.partition("@")
    users = User.objects.filter(email__istartswith=f"{name}@").order_by("email")
    return list(users.values_list("email", flat=True)[:5])


def describe_sign_in_state(user: User, address: str) -> Iterator[str]:
    """Yield sentences about obstacles to signing in, then about the help that desks can give."""
    if not user.is_active:
        yield "The account is closed. A superuser can reopen it on its admin page."
    if not EmailAddress.objects.filter(user=user, email__iexact=address, verified=True).exists():
        yield "This address was never confirmed: signing in requires an emailed code first."
    if not user.has_usable_password():
        yield "It has no password: sign in with an emailed code or a college account."
    if is_linked(user):
        yield "A college account is linked to it. A superuser can unlink it on its admin page."
    if kinds := list_second_factors(user):
        yield f"It uses two-factor authentication ({', '.join(sorted(kinds))})."
    yield from _list_email_problems(address)
    yield _describe_last_sign_in(user)
    yield from _list_desk_options(user)


def _list_email_problems(address: str) -> Iterator[str]:
    if letters.has_no_mail_server():
        yield "The site has no mail server (EMAIL_HOST): codes are printed to the log."
    waiting = Letter.objects.filter(due__isnull=False, address__iexact=address)
    if count := waiting.count():
        error = waiting.exclude(error="").values_list("error", flat=True).first()
        yield f"Unsent emails to it: {count} ({error or 'not tried yet'})."


def _describe_last_sign_in(user: User) -> str:
    if user.last_login is None:
        return "It has never signed in."
    return f"It last signed in on {moment_text(user.last_login)}."


def _list_desk_options(user: User) -> Iterator[str]:
    """Yield a sentence for each event of the user, saying whether its desk can show a code."""
    mine = Registration.objects.filter(user=user).select_related("event", "user")
    for registration in mine.order_by("event", "pk"):
        try:
            check_may_sign_in(registration)
        except RefusedError as refused:
            yield f"{registration.event}: the desk cannot show a code. {refused.sentence}"
        else:
            yield f"{registration.event}: the desk can show a sign-in code."
