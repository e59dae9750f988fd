// Screens of the hall that take turns: the next one comes once the server has it ready.

import { part } from "../elements.js";

const { next = "", seconds } = part(document, "[data-next]").dataset;

async function turn() {
  // A projector that nobody looks after must not end on an error of the network.
  const answer = await fetch(next, { credentials: "same-origin" }).catch(() => null);
  if (answer?.ok) location.replace(next);
  else wait();
}

function wait() {
  setTimeout(turn, Number(seconds) * 1000);
}

wait();
