// The control room's tables, fetched anew every few seconds while the page is looked at.
import { gettext } from "../text.js";
const SECONDS = 4;
const STALE = gettext("No answer from the server: the tables below may be old. It is asked again every few seconds.");
const tables = document.getElementById("tables");
const stale = document.getElementById("stale");

async function refresh() {
  // Not under somebody's finger: a button that is focused stays where it is.
  if (document.hidden || tables.contains(document.activeElement)) return;
  const answer = await fetch(tables.dataset.part, { headers: { Accept: "text/html" } });
  if (answer.redirected) return location.reload();
  if (!answer.ok) throw new Error(`The tables answered ${answer.status}`);
  tables.innerHTML = await answer.text();
}

function tell(lost) {
  tables.classList.toggle("stale", lost);
  stale.textContent = lost ? STALE : "";
}

async function loop() {
  try {
    await refresh();
    tell(false);
  } catch {
    tell(true);
  }
  setTimeout(loop, SECONDS * 1000);
}

if (tables) setTimeout(loop, SECONDS * 1000);
