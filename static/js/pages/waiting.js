// Refreshes the notice of a player's next match whenever something in the event changes.

import { listen } from "./live.js";

// Maximum random delay, which spreads the requests of all phones in a hall.
const SPREAD_MS = 1500;

/** @param {HTMLElement} place of the notice about the player's match */
export function waitForMatch(place) {
  const { event = "", fresh = "" } = place.dataset;
  /** @type {string|undefined} */
  let shape;
  let waiting = 0;
  let shown = place.innerHTML.trim();

  async function refresh() {
    waiting = 0;
    const answer = await fetch(fresh, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    const text = (await answer.text()).trim();
    if (text !== shown) place.innerHTML = text;
    shown = text;
  }

  listen(event, {
    onMessage(message) {
      if (message.type !== "changed" || message.shape === shape) return;
      shape = message.shape;
      waiting ||= setTimeout(refresh, Math.random() * SPREAD_MS);
    },
  });
  // Browsers allow sound only after a tap, so the first tap enables it for the call.
  document.addEventListener("pointerup", () => import("./call.js").then(({ wake }) => wake()), { once: true });
}
