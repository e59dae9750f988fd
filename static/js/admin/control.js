// The control room's tables, fetched anew every few seconds while the page is looked at.
const SECONDS = 4;
const tables = document.getElementById("tables");

async function refresh() {
  // Not under somebody's finger: a button that is focused stays where it is.
  if (document.hidden || tables.contains(document.activeElement)) return;
  const answer = await fetch(tables.dataset.part, { headers: { Accept: "text/html" } });
  if (answer.redirected) location.reload();
  else if (answer.ok) tables.innerHTML = await answer.text();
}

function tell(lost) {
  tables.classList.toggle("stale", lost);
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
