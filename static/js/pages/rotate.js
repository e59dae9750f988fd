// Screens of the hall that take turns. The next one is shown once the server has rendered it.

import { part } from "../elements.js";

const { next = "", seconds } = part(document, "[data-next]").dataset;

async function turn() {
  // An unattended projector must not end up on a network error page.
  const answer = await fetch(next, { credentials: "same-origin" }).catch(() => null);
  if (answer?.ok) location.replace(next);
  else wait();
}

function wait() {
  setTimeout(turn, Number(seconds) * 1000);
}

wait();
