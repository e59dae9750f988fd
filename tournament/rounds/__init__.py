"""A round in progress: tables, pauses, referee calls, announcements and physical cards."""
