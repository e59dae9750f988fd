"""Django's templates, without what a page leaves behind."""

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.utils.safestring import SafeString


class Templates(DjangoTemplates):
    """As Django's, but what a page was made from goes when it is made."""

    def from_string(self, template_code: str) -> Template:
        return _Template(super().from_string(template_code).template, self)

    def get_template(self, template_name: str) -> Template:
        return _Template(super().get_template(template_name).template, self)


class _Template(Template):
    def render(
        self, context: dict[str, object] | None = None, request: HttpRequest | None = None
    ) -> SafeString:
        made = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            page = self.template.render(made)
        except TemplateDoesNotExist as problem:
            reraise(problem, self.backend)
        # A context refers to itself: the collector alone would find it, with thousands of values.
        made.dicts.clear()
        return page
