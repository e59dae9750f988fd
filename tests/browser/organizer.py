"""Organizer in the test of a whole event."""

import re
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from tournament.models import Event, Round


class Organizer:
    """Organizer who runs an event using only the forms and buttons of the desk."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, button: str | re.Pattern[str], *, exact: bool = False) -> None:
        self.page.get_by_role("button", name=button, exact=exact).click()
        self.presses += 1

    def follow_link(self, link: str) -> None:
        self.page.get_by_role("link", name=link, exact=True).first.click()

    def fill_in_reason(self, reason: str, selector: str = "main, #content") -> None:
        """Fill in the first visible reason field within `selector`."""
        self.page.locator(selector).first.locator("input[name=reason]:visible").first.fill(reason)

    def expect_text(self, sentence: str | re.Pattern[str]) -> None:
        """Check that the page shows this sentence."""
        expect(self.page.get_by_text(sentence)).to_be_visible()

    def open_tab(self, tab: str) -> None:
        menu = self.page.locator(".desk-menu")
        link = menu.locator("a").filter(has_text=re.compile(rf"^\s*{tab}\b"))
        if not link.is_visible():
            group = menu.locator("details").filter(has=self.page.get_by_text(tab))
            group.locator("summary").click()
        link.click()

    def create_event(self, **fields: str) -> Event:
        """Create an event in the wizard, using the default format, and return it.

        `fields` maps form field names to values.
        """
        self.page.goto("/admin/tournament/event/add/")
        for _step in ("format", "people", "when"):
            self._fill_in(
                {n: v for n, v in fields.items() if self.page.locator(f"#id_{n}").count()}
            )
            self.press("Next")
        self.press("Create event", exact=True)
        self.expect_text(f"{fields['title']} has been created.")
        return Event.objects.get(title=fields["title"])

    def change_settings(self, **fields: str) -> None:
        """Change these fields of the settings form."""
        self._open_settings()
        self._fill_in(fields)
        self._save()

    def _fill_in(self, fields: dict[str, str]) -> None:
        for name, value in fields.items():
            field = self.page.locator(f"#id_{name}")
            if field.evaluate("element => element.tagName") == "SELECT":
                field.select_option(value)
            elif field.get_attribute("type") == "checkbox":
                field.set_checked(value == "yes")
            else:
                field.fill(value)

    def decide_ties_by_lot(self) -> None:
        """Set ties at the cut to be decided by lot."""
        self._open_settings()
        self.page.locator("select[name$=cut_ties]").select_option("lots")
        self._save()

    def limit_hands(self, count: int) -> None:
        self.change_settings(hand_limit=str(count))

    def _open_settings(self) -> None:
        self.open_tab("Settings")
        self.page.get_by_role("link", name="All settings").click()

    def _save(self) -> None:
        self.page.locator("[name=_save]").click()
        self.expect_text("The settings have been saved.")

    def upload_list(self, name: str, content: bytes) -> None:
        """Upload a list and open its preview."""
        self.open_tab("Eligibility list")
        file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.page.locator("input[type=file]").set_input_files(file)
        self.press("Preview")

    def read_preview_counts(self) -> dict[str, str]:
        """Return the figures of the displayed preview by label."""
        terms = self.page.locator("dl.facts dt").all_text_contents()
        return dict(zip(terms, self.page.locator("dl.facts dd").all_text_contents(), strict=True))

    def approve_all_registrations(self) -> None:
        self.open_tab("Registrations")
        self.press(re.compile("^Approve (all|the registration)"))

    def open_check_in(self) -> None:
        self.open_tab("Check-in")
        self.page.get_by_label("Players check in").check()
        self.press("Save", exact=True)
        self.expect_text("Check-in settings saved.")

    def check_in(self, name: str) -> None:
        self.open_tab("Check-in")
        self.press(f"Check in {name}")
        self.expect_text(f"{name} is checked in.")

    def check_in_together(self, names: Sequence[str]) -> None:
        """Check in these players with one form."""
        self.open_tab("Check-in")
        for name in names:
            self.page.get_by_label(name, exact=True).check()
        self.press("Check in ticked players")
        self.expect_text(f"{len(names)} players checked in.")

    def add_walk_in(self, name: str, roll_number: str, reason: str) -> None:
        """Add a walk-in on the check-in page."""
        self.open_tab("Check-in")
        self.page.locator("#walk-in > summary").click()
        panel = self.page.locator("#walk-in")
        for field, text in {"name": name, "roll_number": roll_number, "reason": reason}.items():
            panel.locator(f"[name={field}]").fill(text)
        self.press("Add walk-in")
        self.expect_text(f"{name}: has a spot, checked in.")

    def draw_round(self) -> Round:
        """Draw the seats of the next round and return the round."""
        self.open_tab("Rounds")
        self.press(re.compile("^Draw seats for "))
        return self.get_shown_round()

    def get_shown_round(self) -> Round:
        self.page.wait_for_url(re.compile(r"/rounds/\d+/$"))
        return Round.objects.get(pk=re.findall(r"rounds/(\d+)/", self.page.url)[0])

    def open_round(self, title: str) -> None:
        self.open_tab("Rounds")
        self.follow_link(title)

    def swap_players(self, player: int, other: int) -> None:
        """Swap the seats of two registrations in the displayed round."""
        for one in (player, other):
            self.page.locator(f'[data-player="{one}"]').click()
        self.presses += 2
        expect(self.page.get_by_text("1 unsaved change")).to_be_visible()
        self.press("Save changes")
        self.expect_text("1 change saved.")

    def switch_to_cards(self, table: int) -> None:
        """Switch this table of the displayed round to physical cards."""
        panel = self.page.locator(f"#table-{table}")
        panel.get_by_role("button", name="Switch to physical cards").click()
        self.presses += 1
        self.expect_text(f"Table {table} has switched to physical cards.")

    def correct_seats(self, reason: str) -> None:
        panel = self.page.locator("section", has_text="A player joined or left")
        panel.locator("input[name=reason]").fill(reason)
        self.press("Adjust the seats")
        self.expect_text("The seats have been adjusted.")

    def publish_round(self) -> None:
        self.press("Publish", exact=True)
        self.expect_text("has been published. Players can see their seats.")

    def start_round(self) -> None:
        self.press(re.compile("^Start"))
        self.expect_text("has started.")

    def undo_start(self, reason: str) -> None:
        """Undo the start of the round on the current page, which must be the control room."""
        self.page.locator(".room-menu > summary").click()
        self.page.get_by_role("link", name=re.compile("^Started by mistake")).click()
        self.page.locator("#take-back > summary").click()
        self.fill_in_reason(reason, "#take-back")
        self.press("Undo the start")
        self.expect_text(re.compile("^The start of .* has been undone.$"))

    def stop_all_tables(self, label: str) -> None:
        self.open_tab("Control room")
        self.follow_link("Outages")
        self.fill_in_reason(label)
        self.press("Pause all tables")
        self.expect_text("tables are paused until you resume them.")

    def resume_all_tables(self) -> None:
        self.open_tab("Control room")
        self.follow_link("Outages")
        self.press("Resume all tables")
        self.expect_text("tables resumed.")

    def open_table(self, number: int) -> None:
        self.open_tab("Control room")
        self.follow_link(f"Table {number}")

    def make_ruling(
        self, table: int, name: str, kind: str, reason: str, substitute: str = ""
    ) -> None:
        """Make a ruling on a player at this table."""
        self.open_table(table)
        row = self.page.locator("#players li").filter(has_text=name)
        row.get_by_role("link", name="Caution, substitution, forfeit …").click()
        self.page.get_by_label(kind).check()
        if substitute:
            choice = self.page.locator("select[name=substitute]")
            value = choice.locator("option", has_text=substitute).get_attribute("value")
            choice.select_option(value)
        self.page.get_by_label("Reason (the player will read it)").fill(reason)
        self.press("Show the consequences")
        self.press(kind, exact=True)
        self.expect_text("Ruling recorded. You can undo it below.")

    def enter_points(self, points: Sequence[int]) -> None:
        """Enter the points of the displayed table, in seat order."""
        fields = self.page.locator("#points input[name=points]")
        for field, number in zip(fields.all(), points, strict=True):
            field.fill(str(number))

    def close_round(self, *, and_draws: bool = False) -> None:
        self.open_tab("Control room")
        tail = " and draw the next" if and_draws else ""
        self.press(re.compile(rf"^Close [\w -]+(?<! the next){tail}$"))
        self.expect_text("is closed.")

    def download_event(self, reason: str, folder: Path) -> Path:
        """Request the event as one file and download it to `folder`."""
        self.open_tab("Afterwards")
        self.follow_link("Move or copy the event")
        self.follow_link("Request")
        self.fill_in_reason(reason)
        self.press("Request the file")
        self.expect_text("You can download the file here for the next 24 hours.")
        with self.page.expect_download() as download:
            self.follow_link("Download a copy")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path
