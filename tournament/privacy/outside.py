"""What is kept of people outside the database: said as models say it of their columns."""

from django.utils.translation import gettext_lazy as _

from games.models.personal import Purpose, Seen, Topic, Until

OUTSIDE = (
    Purpose(
        "",
        Topic.LOGS,
        _(
            "Lines about sign-ins, refused pages and errors: an account by its number, and the "
            "address in the network"
        ),
        _("To notice attacks and to mend what is broken."),
        Seen.OPERATORS,
        Until.LOG,
    ),
    Purpose(
        "",
        Topic.LOGS,
        _("Backups: everything above, as it was in one night"),
        _("So that nothing is lost with a disk."),
        Seen.OPERATORS,
        Until.BACKUP,
    ),
    Purpose(
        "",
        Topic.BROWSER,
        _(
            "Cookies: that you are signed in, your language, and that you have used this "
            "device before"
        ),
        _("So that pages know you, and nobody who guesses passwords locks you out."),
        Seen.DEVICE,
        Until.DEVICE,
    ),
    Purpose(
        "",
        Topic.BROWSER,
        _("How you like the table, and your own part in deals with the site’s receipts for it"),
        _("So that you can show that a deal was fair."),
        Seen.DEVICE,
        Until.BROWSER,
    ),
)
