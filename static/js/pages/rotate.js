// Alternates between hall screens. The next screen is shown as soon as the server can render it.

import { part } from "../elements.js";

const { next = "", seconds } = part(document, "[data-next]").dataset;

async function showNext() {
  // An unattended projector must not end up on a network error page.
  const answer = await fetch(next, { credentials: "same-origin" }).catch(() => null);
  if (answer?.ok) location.replace(next);
  else scheduleNext();
}

function scheduleNext() {
  setTimeout(showNext, Number(seconds) * 1000);
}

scheduleNext();
