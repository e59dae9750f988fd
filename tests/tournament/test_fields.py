"""A form's fields as pages show them: label, what is typed into, help and what is wrong with it."""

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.template import Context, Template
from django.utils.html import format_html

from tournament.templatetags.fields import fields

STAR = '<span class="asteriskField">*</span>'


def shown(**named: forms.Field) -> str:
    return fields(type("Asked", (forms.Form,), dict(named))())


def sent(data: dict[str, str], **named: forms.Field) -> str:
    return fields(type("Asked", (forms.Form,), dict(named))(data))


def test_a_line_has_its_label_and_its_help() -> None:
    help_text = format_html('<a href="{}">Forgotten?</a>', "/a/?b&c")
    word = forms.CharField(label="Word & more", help_text=help_text, widget=forms.PasswordInput)
    assert shown(word=word) == (
        f'<div class="mb-3"><label for="id_word" class="form-label">Word &amp; more{STAR}</label>'
        '<input type="password" name="word" class="form-control" required '
        'aria-describedby="id_word_helptext" id="id_word">'
        '<div id="id_word_helptext" class="form-text"><a href="/a/?b&amp;c">Forgotten?</a></div>'
        "</div>"
    )


def test_what_is_wrong_stands_at_its_field_which_names_it() -> None:
    told = {"invalid": "<No> address."}
    page = sent({"mail": "x"}, mail=forms.EmailField(required=False, error_messages=told))
    assert page == (
        '<div class="mb-3"><label for="id_mail" class="form-label">Mail</label>'
        '<input type="email" name="mail" value="x" maxlength="320" '
        'class="form-control is-invalid" aria-invalid="true" aria-describedby="id_mail_error" '
        'id="id_mail">'
        '<div id="id_mail_error" class="invalid-feedback">'
        "<p><strong>&lt;No&gt; address.</strong></p></div></div>"
    )


def test_a_tick_stands_before_its_label() -> None:
    assert shown(sure=forms.BooleanField(help_text="Really.")) == (
        '<div class="mb-3"><div class="form-check">'
        '<input type="checkbox" name="sure" class="form-check-input" required '
        'aria-describedby="id_sure_helptext" id="id_sure">'
        f'<label for="id_sure">Sure{STAR}</label>'
        '<div id="id_sure_helptext" class="form-text">Really.</div></div></div>'
    )


CHOICES = [("a", "<A>"), ("b", "B")]
ROW = (
    '<div class="form-check"><input type="radio" name="one" value="{}" id="id_one_{}" required{} '
    'class="form-check-input"><label for="id_one_{}">{}</label></div>'
)


def rows(more: str = "") -> str:
    return ROW.format("a", 0, more, 0, "&lt;A&gt;") + ROW.format("b", 1, more, 1, "B")


def test_answers_to_choose_from_are_a_group_with_the_question_as_its_legend() -> None:
    one = forms.ChoiceField(choices=CHOICES, widget=forms.RadioSelect)
    assert shown(one=one) == (
        f'<div class="mb-3"><fieldset><legend class="form-label">One{STAR}</legend>'
        f"{rows()}</fieldset></div>"
    )


def test_a_group_without_an_answer_says_so() -> None:
    told = {"required": "Choose one."}
    one = forms.ChoiceField(choices=CHOICES, widget=forms.RadioSelect, error_messages=told)
    assert sent({}, one=one) == (
        '<div class="mb-3"><fieldset aria-describedby="id_one_error">'
        f'<legend class="form-label">One{STAR}</legend>'
        + rows(' aria-invalid="true"')
        + '<div id="id_one_error" class="invalid-feedback"><p><strong>Choose one.</strong></p>'
        "</div></fieldset></div>"
    )


def test_a_list_to_choose_from_looks_like_one() -> None:
    page = shown(one=forms.ChoiceField(choices=[("a", "A")]))
    assert '<select name="one" class="form-select" id="id_one">' in page


def test_what_is_hidden_stands_there_alone() -> None:
    page = shown(key=forms.CharField(widget=forms.HiddenInput, initial="7"))
    assert page == '<input type="hidden" name="key" value="7" id="id_key">'


class Doubtful(forms.Form):
    def clean(self) -> None:
        raise ValidationError(["Not <so>.", "Nor so."])


@pytest.mark.parametrize("form", [Doubtful({})])
def test_what_is_wrong_with_the_whole_comes_first(form: forms.Form) -> None:
    page = Template("{% load fields %}{{ form|fields }}").render(Context({"form": form}))
    assert page == (
        '<div class="alert alert-danger"><ul class="m-0">'
        "<li>Not &lt;so&gt;.</li><li>Nor so.</li></ul></div>"
    )
