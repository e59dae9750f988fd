"""The site that people see: forms, live boards, public pages and organizers' pages."""
