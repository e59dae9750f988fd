"""What libraries say to people and translate into not all of our languages.

Django looks into our catalogues first: a text that stands here is translated there. No code reads
the list; it is here for `make messages`. Those that a library no longer has are found by a test.
"""

# ruff: noqa: E501
from django.utils.translation import gettext_noop, ngettext_lazy, npgettext_lazy, pgettext_lazy

BORROWED = [
    # allauth
    gettext_noop("This account is currently inactive."),
    gettext_noop("You cannot remove your primary email address."),
    gettext_noop("This email address is already associated with this account."),
    gettext_noop("The email address and/or password you specified are not correct."),
    gettext_noop("A user is already registered with this email address."),
    gettext_noop("Please type your current password."),
    gettext_noop("Incorrect code."),
    gettext_noop("Incorrect password."),
    gettext_noop("Invalid or expired key."),
    gettext_noop("Invalid login."),
    gettext_noop("The password reset token was invalid."),
    gettext_noop("You cannot add more than %d email addresses."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("The email address is not assigned to any user account."),
    gettext_noop("Your primary email address must be verified."),
    gettext_noop("Please select only one."),
    gettext_noop("The new value must be different from the current one."),
    gettext_noop("Be patient, you are sending too many requests."),
    gettext_noop("Use your password"),
    gettext_noop("Use authenticator app or code"),
    gettext_noop("Use a security key"),
    gettext_noop("Email"),
    gettext_noop("Email address"),
    gettext_noop("You must type the same password each time."),
    gettext_noop("Remember Me"),
    pgettext_lazy("field label", "Login"),
    gettext_noop("Forgot your password?"),
    gettext_noop("Email (again)"),
    gettext_noop("Email address confirmation"),
    gettext_noop("Email (optional)"),
    gettext_noop("You must type the same email each time."),
    gettext_noop("Password (again)"),
    gettext_noop("Current Password"),
    gettext_noop("New Password"),
    gettext_noop("New Password (again)"),
    gettext_noop("Code"),
    gettext_noop(
        "You cannot add an email address to an account protected by two-factor authentication."
    ),
    gettext_noop("You cannot deactivate two-factor authentication."),
    gettext_noop(
        "You cannot generate recovery codes without having two-factor authentication enabled."
    ),
    gettext_noop(
        "You cannot activate two-factor authentication until you have verified your email address."
    ),
    gettext_noop("Master key"),
    gettext_noop("Backup key"),
    gettext_noop("Key nr. {number}"),
    gettext_noop("Authenticator code"),
    # Django
    gettext_noop("That page number is not an integer"),
    gettext_noop("That page number is less than 1"),
    gettext_noop("That page contains no results"),
    gettext_noop("Enter a valid domain name."),
    gettext_noop("Enter a valid integer."),
    gettext_noop("Enter a valid %(protocol)s address."),
    gettext_noop("Ensure this value is a multiple of step size %(limit_value)s."),
    gettext_noop(
        "Ensure this value is a multiple of step size %(limit_value)s, starting from %(offset)s, e.g. %(offset)s, %(valid_value1)s, %(valid_value2)s, and so on."
    ),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit in total.",
        "Ensure that there are no more than %(max)s digits in total.",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s decimal place.",
        "Ensure that there are no more than %(max)s decimal places.",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit before the decimal point.",
        "Ensure that there are no more than %(max)s digits before the decimal point.",
    ),
    gettext_noop(
        "File extension “%(extension)s” is not allowed. Allowed extensions are: %(allowed_extensions)s."
    ),
    gettext_noop("Null characters are not allowed."),
    gettext_noop("%(model_name)s with this %(field_labels)s already exists."),
    gettext_noop("Constraint “%(name)s” is violated."),
    gettext_noop("%(field_label)s must be unique for %(date_field_label)s %(lookup_type)s."),
    gettext_noop("Enter a valid duration."),
    gettext_noop("The number of days must be between {min_days} and {max_days}."),
    ngettext_lazy(
        "Ensure this filename has at most %(max)d character (it has %(length)d).",
        "Ensure this filename has at most %(max)d characters (it has %(length)d).",
    ),
    gettext_noop("Enter a complete value."),
    gettext_noop("Enter a valid JSON."),
    gettext_noop("(Hidden field %(name)s) %(error)s"),
    ngettext_lazy("Please submit at most %(num)d form.", "Please submit at most %(num)d forms."),
    ngettext_lazy("Please submit at least %(num)d form.", "Please submit at least %(num)d forms."),
    gettext_noop("Please correct the duplicate data for %(field)s."),
    gettext_noop("Please correct the duplicate data for %(field)s, which must be unique."),
    gettext_noop(
        "Please correct the duplicate data for %(field_name)s which must be unique for the %(lookup)s in %(date_field)s."
    ),
    gettext_noop("Please correct the duplicate values below."),
    gettext_noop("The inline value did not match the parent instance."),
    gettext_noop("“%(pk)s” is not a valid value."),
    pgettext_lazy("String to return when truncating text", "%(truncated_text)s…"),
    ngettext_lazy("%(num)d year", "%(num)d years"),
    ngettext_lazy("%(num)d month", "%(num)d months"),
    ngettext_lazy("%(num)d week", "%(num)d weeks"),
    ngettext_lazy("%(num)d day", "%(num)d days"),
    ngettext_lazy("%(num)d hour", "%(num)d hours"),
    ngettext_lazy("%(num)d minute", "%(num)d minutes"),
    gettext_noop("Invalid page (%(page_number)s): %(message)s"),
    # Django's checks of passwords
    gettext_noop("Reset password"),
    gettext_noop("Set password"),
    gettext_noop("The two password fields didn’t match."),
    gettext_noop("Enter the same password as before, for verification."),
    gettext_noop("Password-based authentication"),
    gettext_noop("Enabled"),
    gettext_noop("Disabled"),
    gettext_noop("Enable password-based authentication for this user by setting a password."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
    ),
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("This password is too common."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("Your password can’t be entirely numeric."),
    # humanize
    npgettext_lazy("naturaltime-past", "%(num)d year", "%(num)d years"),
    npgettext_lazy("naturaltime-past", "%(num)d month", "%(num)d months"),
    npgettext_lazy("naturaltime-past", "%(num)d week", "%(num)d weeks"),
    npgettext_lazy("naturaltime-past", "%(num)d day", "%(num)d days"),
    npgettext_lazy("naturaltime-past", "%(num)d hour", "%(num)d hours"),
    npgettext_lazy("naturaltime-past", "%(num)d minute", "%(num)d minutes"),
    npgettext_lazy("naturaltime-future", "%(num)d year", "%(num)d years"),
    npgettext_lazy("naturaltime-future", "%(num)d month", "%(num)d months"),
    npgettext_lazy("naturaltime-future", "%(num)d week", "%(num)d weeks"),
    npgettext_lazy("naturaltime-future", "%(num)d day", "%(num)d days"),
    npgettext_lazy("naturaltime-future", "%(num)d hour", "%(num)d hours"),
    npgettext_lazy("naturaltime-future", "%(num)d minute", "%(num)d minutes"),
    # Django's admin
    gettext_noop("No date"),
    gettext_noop("Has date"),
    gettext_noop("Empty"),
    gettext_noop("Not empty"),
    gettext_noop("Addition"),
    gettext_noop("Deletion"),
    gettext_noop("Added “%(object)s”."),
    gettext_noop("Changed “%(object)s” — %(changes)s"),
    gettext_noop("Deleted “%(object)s.”"),
    gettext_noop("Added {name} “{object}”."),
    gettext_noop("Added."),
    gettext_noop("Changed {fields} for {name} “{object}”."),
    gettext_noop("Changed {fields}."),
    gettext_noop("Deleted {name} “{object}”."),
    gettext_noop("Hold down “Control”, or “Command” on a Mac, to select more than one."),
    gettext_noop("Select this object for an action - {}"),
    gettext_noop("The {name} “{obj}” was added successfully."),
    gettext_noop("You may edit it again below."),
    gettext_noop("The {name} “{obj}” was added successfully. You may add another {name} below."),
    gettext_noop("The {name} “{obj}” was changed successfully. You may edit it again below."),
    gettext_noop("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    gettext_noop("The {name} “{obj}” was changed successfully."),
    gettext_noop("The %(name)s “%(obj)s” was deleted successfully."),
    gettext_noop("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    gettext_noop("View %s"),
    ngettext_lazy(
        "%(count)s %(name)s was changed successfully.",
        "%(count)s %(name)s were changed successfully.",
    ),
    ngettext_lazy("%(total_count)s selected", "All %(total_count)s selected"),
    gettext_noop(
        "Deleting %(class_name)s %(instance)s would require deleting the following protected related objects: %(related_objects)s"
    ),
    gettext_noop("%(app)s administration"),
    gettext_noop("We’re sorry, but the requested page could not be found."),
    gettext_noop(
        "There’s been an error. It’s been reported to the site administrators via email and should be fixed shortly. Thanks for your patience."
    ),
    gettext_noop("Breadcrumbs"),
    gettext_noop("Model name"),
    gettext_noop("Add link"),
    gettext_noop("Change or view list link"),
    gettext_noop("View"),
    gettext_noop("You don’t have permission to view or edit anything."),
    gettext_noop("Skip to main content"),
    gettext_noop("Hide counts"),
    gettext_noop("Show counts"),
    gettext_noop("Clear all filters"),
    gettext_noop("Toggle theme (current theme: auto)"),
    gettext_noop("Toggle theme (current theme: light)"),
    gettext_noop("Toggle theme (current theme: dark)"),
    gettext_noop(
        "Deleting the %(object_name)s '%(escaped_object)s' would require deleting the following protected related objects:"
    ),
    gettext_noop("Objects"),
    gettext_noop("Yes, I’m sure"),
    gettext_noop("No, take me back"),
    gettext_noop(
        "Deleting the selected %(objects_name)s would result in deleting related objects, but your account doesn't have permission to delete the following types of objects:"
    ),
    gettext_noop(
        "Deleting the selected %(objects_name)s would require deleting the following protected related objects:"
    ),
    gettext_noop(
        "Are you sure you want to delete the selected %(objects_name)s? All of the following objects and their related items will be deleted:"
    ),
    gettext_noop("Summary"),
    gettext_noop("Recent actions"),
    gettext_noop("My actions"),
    gettext_noop("Added:"),
    gettext_noop("Changed:"),
    gettext_noop("Deleted:"),
    gettext_noop("Toggle navigation"),
    gettext_noop("Sidebar"),
    gettext_noop("Start typing to filter…"),
    gettext_noop("Filter navigation items"),
    ngettext_lazy("entry", "entries"),
    gettext_noop(
        "This object doesn’t have a change history. It probably wasn’t added via this admin site."
    ),
    ngettext_lazy("%(counter)s result", "%(counter)s results"),
    gettext_noop("Save and view"),
    gettext_noop("Change selected %(model)s"),
    gettext_noop("Add another %(model)s"),
    gettext_noop("Delete selected %(model)s"),
    gettext_noop("View selected %(model)s"),
    gettext_noop("Select all objects on this page for an action"),
    gettext_noop("Select %s to view"),
]
