"""The site as people see it: forms, live boards, public pages and organizers' pages."""
