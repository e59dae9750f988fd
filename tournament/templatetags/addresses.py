"""`{% url %}` as Django has it, but for an address that was put together before.

A page has twenty and more of them, most of them on every page: Django looks for each anew.
"""

from typing import Any

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as djangos
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape

from games.process import kept

register = template.Library()
KEPT = 10_000


@kept(KEPT)
def _address(_site: object, _prefix: str, name: str, app: str | None, *given: str | int) -> str:
    return reverse(name, args=given, current_app=app)


class KeptURL(URLNode):
    """Texts and whole numbers alone are the same address each time."""

    def render(self, context: Context) -> str:
        given = [each.resolve(context) for each in self.args]
        if self.kwargs or self.asvar or not all(type(each) in (str, int) for each in given):
            return super().render(context)
        site, name = get_urlconf() or settings.ROOT_URLCONF, self.view_name.resolve(context)
        address = _address(site, get_script_prefix(), name, _app(context), *given)
        return conditional_escape(address) if context.autoescape else address


def _app(context: Any) -> str | None:
    """Whose pages the names of pages mean, as Django finds it."""
    request = getattr(context, "request", None)
    match = getattr(request, "resolver_match", None)
    app: str | None = getattr(request, "current_app", getattr(match, "namespace", None))
    return app


@register.tag
def url(parser: Parser, token: Token) -> KeptURL:
    """`{% url name arg… %}`"""
    node = djangos(parser, token)
    return KeptURL(node.view_name, node.args, node.kwargs, node.asvar)
