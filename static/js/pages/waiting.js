// A page of a player whose match may begin: its event's news say when to ask the site about it.

import { listen } from "./live.js";

// Not every phone of a hall asks in the same second.
const SPREAD_MS = 1500;

/** @param {HTMLElement} place what the site says of the player's match */
export function waitForMatch(place) {
  const { event = "", fresh = "" } = place.dataset;
  /** @type {string|undefined} */
  let shape;
  let waiting = 0;
  let told = place.innerHTML.trim();

  async function ask() {
    waiting = 0;
    const answer = await fetch(fresh, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    const text = (await answer.text()).trim();
    if (text !== told) place.innerHTML = text;
    told = text;
  }

  listen(event, {
    onMessage(message) {
      if (message.type !== "changed" || message.shape === shape) return;
      shape = message.shape;
      waiting ||= setTimeout(ask, Math.random() * SPREAD_MS);
    },
  });
  // The first touch of the page, so that it may sound when the match begins.
  document.addEventListener("pointerup", () => import("./call.js").then(({ wake }) => wake()), { once: true });
}
