"""Django's generic base classes, with type parameters that only type checkers see."""

from typing import TYPE_CHECKING, Any

from django.contrib.admin import ModelAdmin, StackedInline
from django.contrib.auth.admin import UserAdmin
from django.forms import BaseInlineFormSet, ModelForm, ModelMultipleChoiceField

if TYPE_CHECKING:
    AnyForm = ModelForm[Any]
    AnyAdmin = ModelAdmin[Any]
    AnyStackedInline = StackedInline[Any, Any]
    AnyUserAdmin = UserAdmin[Any]
    AnyMultipleField = ModelMultipleChoiceField[Any]
    AnyInlineFormSet = BaseInlineFormSet[Any, Any, Any]
else:
    AnyForm, AnyAdmin, AnyStackedInline, AnyUserAdmin, AnyMultipleField, AnyInlineFormSet = (
        ModelForm,
        ModelAdmin,
        StackedInline,
        UserAdmin,
        ModelMultipleChoiceField,
        BaseInlineFormSet,
    )
