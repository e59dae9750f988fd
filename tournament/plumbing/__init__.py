"""What connects the project with Django, allauth, the cache, mail and static files."""
