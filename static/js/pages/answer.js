// An answer that the worker is at, fetched anew each second until it is there.
const SECONDS = 1;
import { find } from "../elements.js";

const answer = find("answer");

async function look() {
  if (!answer.querySelector("[data-runs]")) return;
  // Not while “Cancel” is being pressed: its click would be lost.
  if (!document.hidden && !answer.matches(":active")) await put();
  setTimeout(look, SECONDS * 1000);
}

/** An answer that does not come is asked for again. */
async function put() {
  const told = await fetch(answer.dataset.part ?? "", { headers: { Accept: "text/html" } }).catch(() => null);
  if (told?.redirected) return location.reload();
  if (told?.ok) answer.innerHTML = await told.text();
}

setTimeout(look, SECONDS * 1000);
