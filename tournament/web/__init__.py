"""The pages of the site: forms, live boards, public pages and organizers' pages."""
