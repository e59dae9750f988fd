"""The runbook (docs/running-an-event.md) as a page of the desk."""

import re
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext_lazy
from django.views.generic import TemplateView
from markdown_it import MarkdownIt

RUNBOOK = "running-an-event.md"
# Links to documents that are not on the site. They become plain text.
DOCUMENT_LINK = re.compile(r"(?<!!)\[([^]]+)\]\([\w-]+\.md(?:#[\w-]+)?\)")
HEADING = re.compile(r"<h2>(.+?)</h2>")
PICTURE = re.compile(r'src="img/([\w.-]+)"')


def render_runbook() -> SafeString:
    """Return the runbook as HTML, without its title and with pictures from the static files."""
    text = (settings.BASE_DIR / "docs" / RUNBOOK).read_text().partition("\n")[2]
    html = MarkdownIt("js-default").render(DOCUMENT_LINK.sub(r"\1", text))
    # The text is part of the project, and the Markdown preset escapes any HTML in it.
    return mark_safe(HEADING.sub(_render_heading, PICTURE.sub(_render_picture, html)))  # noqa: S308


def _render_heading(match: re.Match[str]) -> str:
    """Return a heading with the anchor to which links in the runbook point."""
    return f'<h2 id="{slugify(match[1])}">{match[1]}</h2>'


def _render_picture(match: re.Match[str]) -> str:
    return f'loading="lazy" src="{static(f"docs/{match[1]}")}"'


class RunbookPage(TemplateView):
    """Page with the runbook for organizers at the desk."""

    template_name = "admin/tournament/event/runbook.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        context = admin.site.each_context(self.request)
        title = gettext_lazy("Running an event")
        return super().get_context_data(**context, title=title, runbook=render_runbook(), **kwargs)
