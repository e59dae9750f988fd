// An answer that the worker is computing, fetched again every second until it is ready.
const SECONDS = 1;
import { find } from "../elements.js";

const answer = find("answer");

async function look() {
  if (!answer.querySelector("[data-runs]")) return;
  // A refresh while “Cancel” is pressed would lose the click.
  if (!document.hidden && !answer.matches(":active")) await put();
  setTimeout(look, SECONDS * 1000);
}

/** Show the answer if it is ready. A failed request is repeated. */
async function put() {
  const told = await fetch(answer.dataset.part ?? "", { headers: { Accept: "text/html" } }).catch(() => null);
  if (told?.redirected) return location.reload();
  if (told?.ok) answer.innerHTML = await told.text();
}

setTimeout(look, SECONDS * 1000);
