"""Page about the delivery of an event's emails."""

from typing import Any

from django.core.paginator import Paginator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.mail import letters
from tournament.mail.deliveries import delivery_text, mail_counts
from tournament.web.admin.base.pages import Action, EventPage

PER_PAGE = 100
BADGES = {"sent": "good", "tried": "live", "failed": "bad"}


class EmailsPage(EventPage):
    """Page with the state of each email, and a button to retry emails that were not sent."""

    title = gettext_lazy("Emails")
    tab = "desk"
    template_name = "admin/mail/mails.html"
    view_right = "see_people"
    action_rights = {"again": "registrations", "all-again": "registrations"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        pages = Paginator(self.event.letters.all(), PER_PAGE)
        page = pages.get_page(self.request.GET.get("page"))
        rows = [
            {"letter": letter, "badge": BADGES.get(letter.state, ""), "told": delivery_text(letter)}
            for letter in page
        ]
        counts = mail_counts(self.event)
        return super().get_context_data(page=page, rows=rows, counts=counts, **kwargs)

    def actions(self) -> dict[str, Action]:
        return {"again": self.resend, "all-again": self.resend_all}

    def resend(self) -> str:
        return self._resend_letters([self.find(self.event.letters.all(), self.text("mail"))])

    def resend_all(self) -> str:
        return self._resend_letters(self.event.letters.filter(sent_at=None))

    def _resend_letters(self, chosen: Any) -> str:
        count = letters.send_again(chosen)
        if not count:
            return _("No action needed. Unsent emails will be retried within two minutes.")
        text = ngettext(
            "{count} email is waiting to be sent.", "{count} emails are waiting to be sent.", count
        )
        return text.format(count=count)
