"""Why somebody is not let in with the college's account: each with a code for the log."""

from django.utils.translation import gettext as _

from tournament.common.codes import Code
from tournament.common.refusals import Refused


def denied() -> Refused:
    text = _("You did not let your college say who you are. Without that it cannot sign you in.")
    return Refused(Code.ISSUER_DENIED, text)


def lost() -> Refused:
    """Ten minutes are over, or the page was opened in another browser, or a second time."""
    text = _(
        "This page belongs to a sign-in that has ended, or that was begun in another browser. "
        "Please begin again."
    )
    return Refused(Code.ISSUER_STATE, text)


def away() -> Refused:
    text = _(
        "Your college’s sign-in does not answer at the moment. Try again in a minute, or sign in "
        "in another way."
    )
    return Refused(Code.ISSUER_AWAY, text)


def clocks() -> Refused:
    text = _(
        "The clocks of your college’s sign-in and of this site do not agree, so that its answer "
        "counts as too old. Please tell who runs this site."
    )
    return Refused(Code.ISSUER_CLOCK, text)


def unreadable() -> Refused:
    text = _(
        "Your college’s sign-in gave an answer that this site cannot use. Please tell who runs "
        "this site, or sign in in another way."
    )
    return Refused(Code.ISSUER_ANSWER, text)


def unproved() -> Refused:
    text = _(
        "Your college does not say that your e-mail address is confirmed, so it cannot open an "
        "account here. Ask the college to confirm it, or sign in in another way."
    )
    return Refused(Code.ISSUER_UNPROVED, text)


def claimed(email: str) -> Refused:
    text = _(
        "There is an account with {email} here whose address was never confirmed. Confirm it "
        "first: have a sign-in code sent to it. From then on your college account opens it."
    )
    return Refused(Code.ISSUER_CLAIMED, text.format(email=email))
