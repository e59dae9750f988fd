"""A round while it is played: tables, pauses, referee calls, messages, physical cards."""
