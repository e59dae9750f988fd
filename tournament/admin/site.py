"""The organizers' site: Django's admin under our name."""

from django.contrib.admin import AdminSite


class LastcardAdminSite(AdminSite):
    site_header = "Lastcard"
    site_title = "Lastcard"
    index_title = "Organizer's desk"
