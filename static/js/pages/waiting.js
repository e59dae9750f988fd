// Waits for a player's next match: when the event has news, the page fetches the notice of the match again.

import { listen } from "./live.js";

// Spreads the requests of all phones in a hall.
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
  // The first tap allows the page to play a sound when the match begins.
  document.addEventListener("pointerup", () => import("./call.js").then(({ wake }) => wake()), { once: true });
}
