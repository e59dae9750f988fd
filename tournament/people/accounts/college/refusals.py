"""Refusals of sign-ins with a college account. The log shows the code of a refusal."""

from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.pure.codes import Code


def make_denied_error() -> RefusedError:
    text = _(
        "You didn’t let your college share who you are, so you can’t sign in with your "
        "college account."
    )
    return RefusedError(Code.ISSUER_DENIED, text)


def make_lost_error() -> RefusedError:
    """Return the refusal for a sign-in that cannot be continued.

    A sign-in expires after ten minutes. It cannot be completed in another browser or twice.
    """
    text = _(
        "This page belongs to a sign-in that has ended or was started in another "
        "browser. Start again."
    )
    return RefusedError(Code.ISSUER_STATE, text)


def make_unavailable_error() -> RefusedError:
    text = _(
        "Your college’s sign-in isn’t responding. Try again in a minute, or sign in another way."
    )
    return RefusedError(Code.ISSUER_AWAY, text)


def make_wrong_clock_error() -> RefusedError:
    text = _(
        "Your college’s clock and this site’s clock don’t match, so the college’s "
        "response seems too old. Tell the people who run this site."
    )
    return RefusedError(Code.ISSUER_CLOCK, text)


def make_unreadable_error() -> RefusedError:
    text = _(
        "Your college’s sign-in sent a response that this site can’t use. Tell the "
        "people who run this site, or sign in another way."
    )
    return RefusedError(Code.ISSUER_ANSWER, text)


def make_unconfirmed_error() -> RefusedError:
    text = _(
        "Your college doesn’t say whether your email address is confirmed, so you "
        "can’t use your college account to create an account here. Ask the college to "
        "confirm the address, or sign in another way."
    )
    return RefusedError(Code.ISSUER_UNPROVED, text)


def make_claimed_error(email: str) -> RefusedError:
    text = _(
        "An account with {email} already exists here, but the address was never "
        "confirmed. Confirm it first by requesting a sign-in code. After that, you can "
        "sign in with your college account."
    )
    return RefusedError(Code.ISSUER_CLAIMED, text.format(email=email))
