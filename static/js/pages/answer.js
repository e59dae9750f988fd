// Fetches an answer every second until the worker has computed it.
const SECONDS = 1;
import { find } from "../elements.js";

const answer = find("answer");

async function look() {
  if (!answer.querySelector("[data-runs]")) return;
  // Replacing the button “Cancel” while it is pressed would lose the click.
  if (!document.hidden && !answer.matches(":active")) await put();
  setTimeout(look, SECONDS * 1000);
}

/** Show the current answer or progress. A failed request is repeated later. */
async function put() {
  const told = await fetch(answer.dataset.part ?? "", { headers: { Accept: "text/html" } }).catch(() => null);
  if (told?.redirected) return location.reload();
  if (told?.ok) answer.innerHTML = await told.text();
}

setTimeout(look, SECONDS * 1000);
