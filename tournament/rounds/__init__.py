"""A round in progress: tables, pauses, referee calls, messages, physical cards."""
