"""The leaderboard for embedding in other sites. No other page can be embedded."""

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournament.models import Event
from tournament.web.live.boards import board_context
from tournament.web.pages.site.shared import public_event_or_404

# The frame reports its height, and the embedding page accepts the report only from this frame.
SNIPPET = """<iframe id="lastcard-{slug}" src="{address}" title="{title}"
  width="100%" height="480" frameborder="0" loading="lazy"></iframe>
<script>
addEventListener("message", (event) => {{
  const frame = document.getElementById("lastcard-{slug}");
  if (event.source === frame.contentWindow && event.data.lastcardHeight)
    frame.style.height = event.data.lastcardHeight + "px";
}});
</script>"""


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
@require_safe
def show_embedded_leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the live standings of the whole event, for embedding in other sites.

    The page is the same for every visitor.
    """
    event = public_event_or_404(slug)
    return render(
        request, "tournament/standings/leaderboard_embed.html", dict(board_context(event))
    )


def render_snippet(request: HttpRequest, event: Event) -> str:
    """Return the HTML code with which another site embeds the leaderboard.

    A page that shows the code has to escape it.
    """
    address = request.build_absolute_uri(reverse("event-embed", args=[event.slug]))
    return "" + format_html(SNIPPET, slug=event.slug, address=address, title=event.title)
