"""Personal data outside the database, declared like the columns of models."""

from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Purpose, Retention, Topic

OUTSIDE = (
    Purpose(
        "",
        Topic.LOGS,
        _(
            "Log entries about sign-ins, refused page requests and errors, with the "
            "account’s number and the IP address"
        ),
        _("To notice attacks and fix errors."),
        ColumnAudience.OPERATORS,
        Retention.LOG,
    ),
    Purpose(
        "",
        Topic.LOGS,
        _("Backups: everything above, as it was on a given night"),
        _("So that nothing is lost if a disk fails."),
        ColumnAudience.OPERATORS,
        Retention.BACKUP,
    ),
    Purpose(
        "",
        Topic.BROWSER,
        _(
            "Cookies that remember your sign-in, your language, and this device as one you "
            "have used before"
        ),
        _("So that pages recognize you and no one can lock you out by guessing passwords."),
        ColumnAudience.DEVICE,
        Retention.DEVICE,
    ),
    Purpose(
        "",
        Topic.BROWSER,
        _(
            "Your table preferences, your contributions to deals, and the site’s receipts "
            "for those contributions"
        ),
        _("So that you can prove that a deal was fair."),
        ColumnAudience.DEVICE,
        Retention.BROWSER,
    ),
)
